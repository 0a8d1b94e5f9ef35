import path from 'node:path';
import ts from 'typescript';

const modules = path.join(import.meta.dirname, '../../../node_modules');

/** Where the vendors' own packages declare what a request may have. */
const files = {
  completions: 'openai/resources/completions.d.ts',
  chat: 'openai/resources/chat/completions/completions.d.ts',
  responses: 'openai/resources/responses/responses.d.ts',
  messages: '@anthropic-ai/sdk/resources/messages/messages.d.ts',
  betaMessages: '@anthropic-ai/sdk/resources/beta/messages/messages.d.ts',
  gemini: '@google/genai/dist/genai.d.ts',
};

const program = ts.createProgram(
  Object.values(files).map((file) => path.join(modules, file)),
  {
    strict: true,
    skipLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    types: [],
  },
);
const checker = program.getTypeChecker();

/** A type that a vendor's package declares. */
export function declared(file: keyof typeof files, name: string): ts.Type {
  const source = program.getSourceFile(path.join(modules, files[file]));
  const statement = source?.statements.find(
    (one): one is ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.ClassDeclaration =>
      (ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one) || ts.isClassDeclaration(one)) &&
      one.name?.text === name,
  );
  const symbol = statement?.name && checker.getSymbolAtLocation(statement.name);
  if (!symbol) throw new Error(`${files[file]} declares no ${name}`);
  return checker.getDeclaredTypeOfSymbol(symbol);
}

/** What a type may be, as far as JSON goes. */
export interface Shapes {
  /** Texts that it may be, where they are named. */
  readonly texts: readonly string[];
  readonly items: readonly ts.Type[];
  readonly objects: readonly Shape[];
}

export interface Shape {
  readonly fields: ReadonlyMap<string, ts.Type>;
  /** Whether it may have fields of any name. */
  readonly open: boolean;
}

const shapes = new Map<ts.Type, Shapes>();

export function shapesOf(type: ts.Type): Shapes {
  const found = shapes.get(type) ?? makeShapes(type);
  shapes.set(type, found);
  return found;
}

function makeShapes(type: ts.Type): Shapes {
  const all = type.isUnion() ? type.types : [type];
  const objects = all.filter((one) => one.flags & ts.TypeFlags.Object);
  const lists = objects.filter((one) => checker.isArrayLikeType(one));
  return {
    texts: all.flatMap((one) => (one.isStringLiteral() ? [one.value] : [])),
    items: lists.flatMap((list) => checker.getTypeArguments(list as ts.TypeReference).slice(0, 1)),
    objects: objects.filter((one) => !lists.includes(one)).map(shapeOf),
  };
}

function shapeOf(type: ts.Type): Shape {
  const properties = checker.getPropertiesOfType(type);
  const fields = new Map(properties.map((one) => [one.name, checker.getTypeOfSymbol(one)]));
  return { fields, open: checker.getIndexInfosOfType(type).length > 0 };
}
