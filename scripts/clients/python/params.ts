import { type Document, resolve, type Schema, schemaName } from '../../../src/contract/served/document.ts';
import { mayHave } from '../../generate/document.ts';
import { argumentName, snakeCase } from './names.ts';

/**
 * Python types for what requests hold: a `TypedDict` for each object, so that bodies are written as dictionaries and still
 * checked.
 */
export class ParamTypes {
  readonly #document: Document;
  /** The source of each type, by its name. */
  readonly #sources = new Map<string, string>();

  constructor(document: Document) {
    this.#document = document;
  }

  /** The module with the types that have been asked for. */
  source(): string {
    return [
      '"""What requests hold."""',
      '',
      'from __future__ import annotations',
      '',
      'from collections.abc import Mapping, Sequence',
      'from typing import Any, Literal, NotRequired, TypeAlias, TypedDict',
      '',
      ...[...this.#sources.values()].sort((a, b) => Number(isAlias(a)) - Number(isAlias(b))),
    ].join('\n');
  }

  /** The type of the body of a request, by the name of its schema; `stream` has an operation of its own. */
  body(schema: Schema): string {
    return this.#named(schemaName(schema), ['stream']);
  }

  #named(schemaName: string, without: readonly string[] = []): string {
    const schema = this.#document.components.schemas[schemaName];
    if (!schema) throw new Error(`there is no schema ${schemaName}`);
    if (!schema['properties'] && !schema.oneOf) return this.#typeOf(schema, schemaName);
    const name = `${schemaName}Param`;
    if (this.#sources.has(name)) return name;
    this.#sources.set(name, '');
    this.#sources.set(
      name,
      schema['properties']
        ? this.#dictionary(name, schemaName, schema, without)
        : `${name}: TypeAlias = '${this.#typeOf(schema, schemaName)}'\n`,
    );
    return name;
  }

  #typeOf(schema: Schema, hint: string): string {
    if (schema.$ref) return this.#named(schemaName(schema));
    const union = (schema.oneOf ?? schema['anyOf']) as Schema[] | undefined;
    if (union) return join(union.map((member, index) => this.#typeOf(member, `${hint}${index + 1}`)));
    const [only, ...more] = (schema['allOf'] ?? []) as Schema[];
    if (only && more.length === 0) return this.#typeOf(only, hint);
    if (schema['const'] !== undefined) return `Literal[${literal(schema['const'])}]`;
    if (Array.isArray(schema['enum'])) return `Literal[${schema['enum'].map(literal).join(', ')}]`;
    const types = [schema.type ?? 'any'].flat() as string[];
    return join(types.map((type) => this.#typeNamed(type, schema, hint)));
  }

  #typeNamed(type: string, schema: Schema, hint: string): string {
    // A `TypedDict` has the fields that it names and no others.
    const isOpen = schema['additionalProperties'] === true;
    if (type === 'object' && schema['properties'] && !isOpen) {
      const name = `${hint}Param`;
      if (!this.#sources.has(name)) this.#sources.set(name, this.#dictionary(name, hint, schema, []));
      return name;
    }
    if (type === 'object') {
      const values = schema['additionalProperties'] as Schema | boolean | undefined;
      const value = typeof values === 'object' ? this.#typeOf(values, `${hint}Value`) : 'Any';
      return `Mapping[str, ${value}]`;
    }
    if (type === 'array')
      return `Sequence[${this.#typeOf((schema['items'] ?? {}) as Schema, `${hint}Item`)}]`;
    return { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }[type] ?? 'Any';
  }

  #dictionary(name: string, hint: string, schema: Schema, without: readonly string[]): string {
    const required = (schema['required'] ?? []) as string[];
    const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).filter(
      ([property]) => mayHave(schema, property) && !without.includes(property),
    );
    const typed = properties.map(([property, given]) => {
      const type = this.#typeOf(given, hint + property.charAt(0).toUpperCase() + property.slice(1));
      return [property, required.includes(property) ? type : `NotRequired[${type}]`, given] as const;
    });
    // A class cannot have a field that is called as a word of Python.
    if (typed.some(([property]) => argumentName(property) !== snakeCase(property))) {
      const fields = typed.map(([property, type]) => `    "${property}": '${type}',\n`);
      return `${name} = TypedDict("${name}", {\n${fields.join('')}})\n\n`;
    }
    const lines = typed.map(([property, type, given]) => {
      const about = String(given['description'] ?? resolve(this.#document, given)['description'] ?? '');
      return `    ${property}: ${type}\n${about ? `    """${about.replaceAll('\\', '\\\\')}"""\n` : ''}`;
    });
    return `class ${name}(TypedDict):\n${lines.join('') || '    pass\n'}\n`;
  }
}

const isAlias = (source: string) => source.includes(': TypeAlias = ');

const literal = (value: unknown) =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);

const join = (types: readonly string[]) => [...new Set(types)].join(' | ');
