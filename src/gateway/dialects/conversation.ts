import { objectIn } from '../../lib/json.ts';
import {
  type ImagePart,
  type ModelMessage,
  type Part,
  type SealedThinking,
  said,
  systemText,
  type TextPart,
  type ThinkingPart,
  type ToolCallPart,
} from '../../model/parts.ts';
import type { Adaptations } from '../upstream/settings.ts';
import { withPathOf } from '../wires/source-paths.ts';
import type { Rules } from './rules.ts';

/** Base64 of the first bytes of images, by media type. */
const imageStarts: readonly (readonly [string, RegExp])[] = [
  ['image/png', /^iVBORw0KGgo/],
  ['image/jpeg', /^\/9j\//],
  ['image/gif', /^R0lGOD[dl]h/],
  // `RIFF`, the size of the file, `WEBP`.
  ['image/webp', /^UklGR.{6}XRUJQ/],
];

/** Older names of media types. */
const imageNames: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/x-png', 'image/png'],
]);

/** Holds arguments that are no object, as a model once wrote them. */
const wrongArguments = 'invalid_arguments';

/** The conversation as the rules have it; the same list where nothing changes. */
export function fitConversation(
  given: readonly ModelMessage[],
  rules: Rules,
  adapted: Adaptations,
): readonly ModelMessage[] {
  let messages = withFittedParts(given, rules, adapted);
  if (rules.names === false) messages = withoutNames(messages, adapted);
  if (rules.system === 'first') messages = systemFirst(messages, adapted);
  else if (rules.system) messages = systemWithin(messages, rules.system === 'after_user', adapted);
  if (rules.blank_texts === false) messages = withoutBlankTexts(messages);
  if (rules.roles === 'alternate') messages = inTurns(messages);
  if (rules.begins_with === 'user') messages = begunByUser(messages, adapted);
  const { thinking_members: members, thinking_back: field } = rules;
  if (members) messages = messages.flatMap((message) => withThinkingIn(message, members, adapted));
  return field === undefined ? messages : messages.map((message) => withThinkingBack(message, field));
}

function withFittedParts(
  messages: readonly ModelMessage[],
  rules: Rules,
  adapted: Adaptations,
): readonly ModelMessage[] {
  let all: ModelMessage[] | null = null;
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index] as ModelMessage;
    let content: Part[] | null = null;
    for (let place = 0; place < message.content.length; place += 1) {
      const part = message.content[place] as Part;
      const fitted = fittedPart(part, rules, adapted);
      if (fitted === part) continue;
      content ??= [...message.content];
      content[place] = fitted;
    }
    if (content === null) continue;
    all ??= [...messages];
    all[index] = { ...message, content };
  }
  return all ?? messages;
}

function fittedPart(part: Part, rules: Rules, adapted: Adaptations): Part {
  if (part.type === 'image') return withItsType(part);
  if (part.type === 'tool_result') {
    const content = part.content.map((inner) => (inner.type === 'image' ? withItsType(inner) : inner));
    return content.some((inner, index) => inner !== part.content[index]) ? { ...part, content } : part;
  }
  if (part.type === 'tool_call' && rules.arguments === 'object') return withObject(part, adapted);
  return part;
}

/** An image with the media type of its first bytes. */
function withItsType(part: ImagePart): ImagePart {
  const { source } = part;
  if (source.type !== 'base64') return part;
  const start = source.data.slice(0, 24);
  const named = source.mediaType.toLowerCase().replace(/;.*$/s, '').trim();
  const seen = imageStarts.find(([, pattern]) => pattern.test(start))?.[0];
  const mediaType = seen ?? imageNames.get(named) ?? named;
  if (mediaType === source.mediaType) return part;
  return withPathOf({ ...part, source: { ...source, mediaType } }, part);
}

/** A call whose arguments are a JSON object; a model may have been cut off in the middle of them. */
function withObject(call: ToolCallPart, adapted: Adaptations): ToolCallPart {
  const { custom, arguments: text } = call;
  if (custom || objectIn(text) !== null) return call;
  if (text.trim() === '') return withPathOf({ ...call, arguments: '{}' }, call);
  const said = 'takes only JSON objects as arguments; those of an earlier call that are none stand in one.';
  adapted.tell('content_adapted', 'messages', said);
  return withPathOf({ ...call, arguments: JSON.stringify({ [wrongArguments]: text }) }, call);
}

function withoutNames(messages: readonly ModelMessage[], adapted: Adaptations): readonly ModelMessage[] {
  if (messages.every(({ name }) => name === undefined)) return messages;
  adapted.tell('content_adapted', 'name', 'takes no names of speakers; they were left out.');
  return messages.map(({ name: _, ...message }) => message);
}

const isSystem = ({ role }: ModelMessage) => role === 'system' || role === 'developer';

function systemFirst(messages: readonly ModelMessage[], adapted: Adaptations): readonly ModelMessage[] {
  const last = messages.findLastIndex(isSystem);
  if (last === -1 || (last === 0 && messages[0]?.role === 'system')) return messages;
  const system = messages.filter(isSystem);
  const moved = system.some((message, index) => messages[index] !== message);
  if (moved) {
    const said = 'takes one system message, before the conversation; those further down were moved there.';
    adapted.tell('system_messages_merged', 'messages', said);
  }
  return [
    { role: 'system', content: system.flatMap(({ content }) => content) },
    ...messages.filter((message) => !isSystem(message)),
  ];
}

/**
 * The conversation with system messages further down as messages of the user, where their vendor cannot have them there: moved to the
 * beginning they would empty its cache each time.
 * @param staying whether they stay between a message of the user and an answer
 */
function systemWithin(
  messages: readonly ModelMessage[],
  staying: boolean,
  adapted: Adaptations,
): readonly ModelMessage[] {
  const first = messages.findIndex((message) => !isSystem(message));
  if (first === -1 || messages.findLastIndex(isSystem) < first) return messages;
  const placed: ModelMessage[] = messages.slice(0, first);
  for (let index = first; index < messages.length; index += 1) {
    const message = messages[index] as ModelMessage;
    const next = messages[index + 1];
    if (!isSystem(message)) placed.push(message);
    else if (staying && placed.at(-1)?.role !== 'assistant' && (!next || next.role === 'assistant'))
      placed.push({ ...message, role: 'system' });
    else {
      const said = 'takes no system messages at that place; they became messages of the user.';
      adapted.tell('content_adapted', 'messages', said);
      placed.push({ role: 'user', content: message.content.map(asSystemText) });
    }
  }
  return placed;
}

function asSystemText(part: Part): Part {
  return part.type === 'text' ? { ...part, text: systemText(part.text) } : part;
}

const isBlank = (part: Part) => part.type === 'text' && part.text.trim() === '';

function withoutBlankTexts(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const last = messages.at(-1);
  const kept = messages.flatMap((message) => {
    const { content } = message;
    const seen = content.some(isBlank) ? content.filter((part) => !isBlank(part)) : content;
    if (seen === content && content.length > 0) return [message];
    // A sole message that would be empty is left to the vendor to refuse.
    return seen.length > 0 ? [{ ...message, content: seen }] : messages.length === 1 ? [message] : [];
  });
  return last?.role === 'assistant' ? withoutTrailingSpace(kept) : kept;
}

/** An answer that the model is to go on with must not end in white space. */
function withoutTrailingSpace(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const last = messages.at(-1);
  const part = last?.content.at(-1);
  if (last?.role !== 'assistant' || part?.type !== 'text' || !/\s$/.test(part.text)) return messages;
  const ended: TextPart = { ...part, text: part.text.trimEnd() };
  return [...messages.slice(0, -1), { ...last, content: [...last.content.slice(0, -1), ended] }];
}

function inTurns(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const joined: ModelMessage[] = [];
  for (const message of messages) {
    const before = joined.at(-1);
    if (before && mayJoin(before, message))
      joined[joined.length - 1] = { ...before, content: [...before.content, ...message.content] };
    else joined.push(message);
  }
  return joined.length === messages.length ? messages : joined;
}

/** An answer with calls stays by itself: its results come right after it. */
function mayJoin(before: ModelMessage, after: ModelMessage): boolean {
  if (before.role !== after.role || before.name !== after.name) return false;
  if (before.role === 'user') return true;
  return before.role === 'assistant' && before.content.every(({ type }) => type !== 'tool_call');
}

function begunByUser(messages: readonly ModelMessage[], adapted: Adaptations): readonly ModelMessage[] {
  const first = messages.findIndex((message) => !isSystem(message));
  const begins = messages[first];
  if (begins?.role !== 'assistant' || begins.content.every(({ type }) => type !== 'tool_call'))
    return messages;
  const said = 'accepts a call only after a user message; one that says "Go on." was inserted before it.';
  adapted.tell('content_adapted', 'messages', said);
  const opening: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'Go on.' }] };
  return messages.toSpliced(first, 0, opening);
}

/** A message whose thinking is in members that the vendor takes: under the first of them where it was in another. */
function withThinkingIn(
  message: ModelMessage,
  members: readonly string[],
  adapted: Adaptations,
): ModelMessage[] {
  const { content } = message;
  if (message.role !== 'assistant' || content.every((part) => !isOfChat(part) || isTaken(part, members)))
    return [message];
  const [first] = members;
  const kept = content.flatMap((part): Part[] => {
    if (!isOfChat(part) || isTaken(part, members)) return [part];
    if (first !== undefined && part.text !== '')
      return [{ ...part, sealed: { ...part.sealed, value: { [first]: part.text } } }];
    adapted.tell('thinking_removed', 'messages', 'takes no thinking of earlier answers; it was left out.');
    return [];
  });
  return kept.length > 0 ? [{ ...message, content: kept }] : [];
}

type ChatThinking = ThinkingPart & { readonly sealed: SealedThinking };

function isOfChat(part: Part): part is ChatThinking {
  return part.type === 'thinking' && part.sealed?.wire === 'openai-chat';
}

function isTaken({ sealed }: ChatThinking, members: readonly string[]): boolean {
  return Object.keys(sealed.value).every((member) => members.includes(member));
}

/** A message with calls and the vendor's own member for thinking, which is empty where the model's thinking is not known. */
function withThinkingBack(message: ModelMessage, field: string): ModelMessage {
  const { role, content } = message;
  if (role !== 'assistant' || content.every(({ type }) => type !== 'tool_call')) return message;
  const has = content.some((part) => part.type === 'thinking' && part.sealed?.value[field] !== undefined);
  if (has) return message;
  const sealed = { wire: 'openai-chat', provider: null, model: null, value: { [field]: '' } } as const;
  return { ...message, content: [{ type: 'thinking', text: '', sealed }, ...content] };
}

/** Whether a message has the word. */
export const saysJson = ({ content }: ModelMessage) =>
  content.some((part) => part.type === 'text' && /json/i.test(part.text));

/** The conversation with one more instruction at its beginning. */
export function instructed(messages: readonly ModelMessage[], instruction: string): readonly ModelMessage[] {
  const [first, ...rest] = messages;
  if (first?.role !== 'system') return [said('system', instruction), ...messages];
  return [{ ...first, content: [...first.content, { type: 'text', text: instruction }] }, ...rest];
}
