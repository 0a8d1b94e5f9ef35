import type { Warning } from '../../../generated/types.gen.ts';
import type { WireCall } from '../../contract/wire-operations.ts';
import { isObject } from '../../lib/json.ts';
import type { Rules } from '../dialects/rules.ts';
import {
  mayHoldForeignThinking,
  withoutForeignThinking,
  withSystemAsUser,
} from '../wires/anthropic/client/other-vendor-reasoning.ts';
import { unwrapped } from '../wires/envelope.ts';
import { envelopeStart, withoutForeignSignatures } from '../wires/gemini/client/other-vendor-signatures.ts';
import {
  withoutDevelopers,
  withoutForeignExtraContent,
  withThinkingMembers,
} from '../wires/openai-chat/client/read-content.ts';
import { summaryIn } from '../wires/openai-responses/client/compaction.ts';
import type { BodyChanges } from './native-call.ts';

/**
 * A request without what another vendor's model sealed earlier in the conversation, and which only that vendor can read: the members
 * of the body that change, and whether thinking was left out. Null: there is none. Costs a search of the bytes where there is none.
 */
export type WithoutForeignThinking = (
  call: Pick<WireCall, 'body' | 'bytes'>,
  rules: Rules,
) => { readonly changes: BodyChanges; readonly removed: boolean } | null;

/** The warning about it. */
export const thinkingRemoved: Warning = {
  code: 'thinking_removed',
  message: 'Thinking of another model was left out: only the model that made it can read it.',
  param: null,
};

const envelope = '"sy1.';

export const ownThinkingInChat: WithoutForeignThinking = ({ bytes, body }, rules) => {
  const { thinking_members: members, system } = rules;
  const own = bytes.includes(envelope) ? withoutForeignExtraContent(body['messages']) : null;
  const given = own ?? body['messages'];
  const taken = members && bytes.includes('"reasoning') ? withThinkingMembers(given, members) : null;
  // Only OpenAI knows the role.
  const developer = system === 'first' && bytes.includes('"developer"');
  const messages = (developer ? withoutDevelopers(taken ?? given) : null) ?? taken ?? own;
  return (
    messages && { changes: { messages }, removed: own !== null || (taken !== null && members?.length === 0) }
  );
};

export const ownThinkingInResponses: WithoutForeignThinking = ({ bytes, body }) => {
  const own = bytes.includes(envelope) ? withoutForeignReasoning(body['input']) : null;
  return own && { changes: { input: own.input }, removed: own.removed };
};

export const ownThinkingInMessages: WithoutForeignThinking = ({ bytes, body }, rules) => {
  const unsigned = rules.unsigned_thinking === false;
  const kept = mayHoldForeignThinking(bytes) ? withoutForeignThinking(body, unsigned) : null;
  const placed = rules.system === 'as_user' ? withSystemAsUser(kept ?? body) : null;
  const messages = placed ?? kept?.['messages'];
  return messages === undefined ? null : { changes: { messages }, removed: kept !== null };
};

export const ownThinkingInContents: WithoutForeignThinking = ({ bytes, body }) => {
  const contents = bytes.includes(`"${envelopeStart}`) ? withoutForeignSignatures(body['contents']) : null;
  return contents && { changes: { contents }, removed: true };
};

/** The same of a prompt whose tokens are to be counted, which may be a whole request. */
export const ownThinkingInPrompt: WithoutForeignThinking = ({ bytes, body }, rules) => {
  for (const field of ['generateContentRequest', 'generate_content_request']) {
    const request = body[field];
    const own = isObject(request) ? ownThinkingInContents({ bytes, body: request }, rules) : null;
    if (isObject(request) && own !== null)
      return { ...own, changes: { [field]: { ...request, ...own.changes } } };
  }
  return ownThinkingInContents({ bytes, body }, rules);
};

/**
 * The input of a request for OpenAI itself: reasoning that another vendor's model sealed is left out, as OpenAI would refuse it, and
 * a conversation that was compacted here is a message. Null where there is neither; everything else stays as it is.
 */
function withoutForeignReasoning(
  input: unknown,
): { readonly input: readonly unknown[]; readonly removed: boolean } | null {
  if (!Array.isArray(input)) return null;
  let changed = false;
  const kept: unknown[] = [];
  for (const item of input) {
    if (isForeign(item)) continue;
    const summary = summaryIn(item);
    changed ||= summary !== null;
    kept.push(summary === null ? item : { type: 'message', role: 'user', content: summary });
  }
  const removed = kept.length < input.length;
  return changed || removed ? { input: kept, removed } : null;
}

function isForeign(item: unknown): boolean {
  if (!isObject(item) || item['type'] !== 'reasoning') return false;
  const { encrypted_content: encrypted } = item;
  return typeof encrypted === 'string' && unwrapped(encrypted) !== null;
}
