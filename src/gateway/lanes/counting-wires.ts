import type { Warning } from '../../../generated/types.gen.ts';
import type { WireCall, WireReply } from '../../contract/wire-operations.ts';
import { estimatePromptTokens } from '../../lib/tokens.ts';
import type { VendorWire } from '../../model/parts.ts';
import type { ServerTimeLimits, UnroutedCall } from '../../model/port.ts';
import type { LaneGateway, PreparedAsk } from '../routing/lanes.ts';
import { vendorSaid, wholeReply } from '../upstream/native-reply.ts';
import { ProviderError } from '../upstream/provider-error.ts';
import { countTokensAnswer, readCountTokens } from '../wires/anthropic/client/read.ts';
import { readCountRequest, writeTokenCount } from '../wires/gemini/client/wire.ts';
import { openAiResponsesWire } from '../wires/openai-responses/client/wire.ts';
import { unread } from './forward.ts';
import { laneHeaders } from './lane-headers.ts';
import { namedInPrompt } from './model-naming.ts';
import { changedBody, type ModelNaming, namedInBody, nativeCall } from './native-call.ts';
import {
  ownThinkingInMessages,
  ownThinkingInPrompt,
  ownThinkingInResponses,
  thinkingRemoved,
  type WithoutForeignThinking,
} from './other-vendor-reasoning.ts';
import type { Keeping } from './vendor-responses.ts';
import { type WireContext, wireTimeLimits } from './wire-context.ts';

const tokensEstimated: Warning = {
  code: 'tokens_estimated',
  message: 'The provider does not count; the tokens are estimated.',
  param: null,
};

const inBody = { modelNaming: namedInBody, modelIn: ({ body }: WireCall) => String(body['model']) } as const;

/** How each interface counts tokens, by operation. */
export const countingWires = {
  countMessageTokens: {
    ...inBody,
    speaks: 'anthropic',
    withoutForeignThinking: ownThinkingInMessages,
    suffix: () => '/messages/count_tokens',
    read: readCountTokens,
    write: countTokensAnswer,
  },
  countResponseTokens: {
    ...inBody,
    speaks: 'openai-responses',
    withoutForeignThinking: ownThinkingInResponses,
    suffix: () => '/responses/input_tokens',
    read: (body) => openAiResponsesWire.read(body).call,
    write: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
  },
  countGeminiTokens: {
    speaks: 'gemini',
    withoutForeignThinking: ownThinkingInPrompt,
    modelNaming: namedInPrompt,
    modelIn: ({ path }) => path['model'] ?? '',
    suffix: (model) => `/models/${encodeURIComponent(model)}:countTokens`,
    read: readCountRequest,
    write: writeTokenCount,
  },
} as const satisfies Record<string, CountingWire>;

/** How one interface counts the tokens of a prompt. */
interface CountingWire {
  readonly speaks: VendorWire;
  suffix(model: string): string;
  readonly modelNaming: ModelNaming;
  readonly withoutForeignThinking: WithoutForeignThinking;
  modelIn(call: WireCall): string;
  read(body: WireCall['body']): UnroutedCall;
  write(tokens: number): object;
}

type Counted = { readonly body: Buffer; readonly mediaType: string } | { readonly tokens: number };

/**
 * The tokens of a prompt: as the vendor counts them where it speaks the client's wire, else estimated, which the warning
 * `tokens_estimated` says. A count is neither an answer of a model nor billed by a vendor, so the ledger has no row of it.
 * Throws `ServiceError`.
 * @param keeping null: the request names nothing that vendors keep
 */
export async function countTokens(
  models: LaneGateway,
  timeLimits: ServerTimeLimits,
  wire: CountingWire,
  call: WireCall,
  context: WireContext,
  keeping: Pick<Keeping, 'withVendorIds'> | null = null,
): Promise<WireReply> {
  const name = wire.modelIn(call);
  try {
    const asked = await models.ask<Counted>(
      name,
      ({ connection, speaks, endpoint, dialect }, { model }): PreparedAsk<Counted> => {
        if (connection === null || !speaks.includes(wire.speaks)) return estimating(wire, call);
        const cleaned = wire.withoutForeignThinking(call, dialect(wire.speaks)(model));
        const { path, body } = call;
        const changed = changedBody(call.bytes, {
          ...cleaned?.changes,
          ...wire.modelNaming({ path, body: { ...body, ...cleaned?.changes } }, model),
        });
        const sent = nativeCall(endpoint(wire.speaks), context, {
          suffix: wire.suffix(model),
          model,
          body: keeping ? keeping.withVendorIds(changed) : changed,
        });
        const native = { call: sent, model, reader: unread };
        return {
          warnings: cleaned?.removed ? [thinkingRemoved] : [],
          send: (options) =>
            wholeReply(connection, native, options).catch((thrown: unknown) => {
              if (!cannotCount(thrown)) throw thrown;
              return estimate(wire.read(call.body));
            }),
        };
      },
      {
        ...context,
        tenant: context.caller.tenantId,
        ability: 'counts',
        limits: wireTimeLimits(context, timeLimits),
      },
    );
    asked.succeeded();
    const { result } = asked;
    const estimated = 'tokens' in result;
    const headers = estimated
      ? laneHeaders({ provider: asked.provider, warnings: [tokensEstimated] }, 'translated')
      : laneHeaders(asked, 'native');
    return estimated
      ? {
          status: 200,
          mediaType: 'application/json',
          headers,
          body: JSON.stringify(wire.write(result.tokens)),
        }
      : { status: 200, mediaType: result.mediaType, headers, body: result.body };
  } catch (thrown) {
    const said = vendorSaid(thrown);
    if (said === null) throw thrown;
    return said;
  }
}

function estimating(wire: CountingWire, call: WireCall): PreparedAsk<Counted> {
  const prompt = wire.read(call.body);
  return {
    warnings: [tokensEstimated],
    send: () => estimate(prompt),
  };
}

async function estimate(prompt: UnroutedCall): Promise<Counted> {
  return { tokens: await estimatePromptTokens(prompt) };
}

/** Many who speak a vendor's wire answer prompts only. One who has no such model says so again when it is asked to answer. */
function cannotCount(thrown: unknown): boolean {
  return thrown instanceof ProviderError && [404, 405, 501].includes(thrown.status ?? 0);
}
