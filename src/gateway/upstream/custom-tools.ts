import type { Tool } from '../../../generated/types.gen.ts';
import type { CustomTool, ModelTool } from '../../model/port.ts';

/**
 * A tool that takes a text (OpenAI's custom tools), as a function for vendors that know only functions: its one argument
 * `input` is the text. Of a grammar, to which such a vendor cannot hold the model, the model is told in words.
 */
export function wrappedTool({ custom: { name, description, format } }: CustomTool): Tool {
  const told = [description, grammarOf(format)].filter((text) => text !== undefined).join('\n\n');
  return {
    type: 'function',
    function: {
      name,
      ...(told !== '' && { description: told }),
      parameters: {
        type: 'object',
        properties: { input: { type: 'string', description: 'The whole input of the tool, as plain text.' } },
        required: ['input'],
        additionalProperties: false,
      },
    },
  };
}

function grammarOf(format: CustomTool['custom']['format']): string | undefined {
  if (format?.['type'] !== 'grammar') return undefined;
  // Chat has the grammar in an object of its own, Responses beside the type.
  const grammar = (format['grammar'] ?? format) as {
    readonly syntax?: unknown;
    readonly definition?: unknown;
  };
  if (typeof grammar.definition !== 'string') return undefined;
  return `The input follows this grammar (${String(grammar.syntax)}):\n${grammar.definition}`;
}

/** The names of the custom tools, for the way back. */
export function customNames(tools: readonly ModelTool[] | undefined): ReadonlySet<string> {
  if (!tools?.some(({ type }) => type === 'custom')) return none;
  return new Set(tools.flatMap((tool) => (tool.type === 'custom' ? [tool.custom.name] : [])));
}

const none: ReadonlySet<string> = new Set();

/** The text that a custom tool was called with, as the arguments of its function. */
export function wrappedInput(text: string): string {
  return JSON.stringify({ input: text });
}

/** The text in the arguments of such a function; arguments of another form are passed on as they are. */
export function unwrappedInput(json: string): string {
  try {
    const { input } = JSON.parse(json) as { readonly input?: unknown };
    if (typeof input === 'string') return input;
  } catch {
    // Below.
  }
  return json;
}
