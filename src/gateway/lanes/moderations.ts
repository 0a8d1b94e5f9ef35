import type { ModerationCreateResponse } from 'openai/resources/moderations';
import { ServiceError } from '../../contract/errors.ts';
import type { WireCall } from '../../contract/wire-operations.ts';
import { ulid } from '../../lib/ids.ts';
import { estimateTokens } from '../../lib/tokens.ts';
import { sandboxId, tokenUsage } from '../../model/usage.ts';
import type { Target } from '../routing/catalogue.ts';
import type { PreparedAsk } from '../routing/lanes.ts';
import type { Provider } from '../routing/provider.ts';
import { moderate } from '../sandbox/media/moderate.ts';
import { readModerationInput, textsOf } from '../wires/openai-media/read.ts';
import type { Forwarded, ForwardWire } from './forward.ts';
import { namedInBody } from './native-call.ts';

/** What OpenAI takes where no model is named. */
const defaultModel = 'omni-moderation-latest';
const bytesPerToken = 4;

function modelIn({ body }: WireCall): string {
  const { model } = body;
  return typeof model === 'string' && model !== '' ? model : defaultModel;
}

function elsewhere({ id }: Provider, { model }: Target, call: WireCall): PreparedAsk<Forwarded> {
  if (id !== sandboxId) {
    const message = `The provider ${JSON.stringify(id)} of the model ${JSON.stringify(model)} has no moderations; providers that speak OpenAI's interface may, with models such as ${defaultModel}, and the model "sandbox" has.`;
    throw new ServiceError('invalid_request', message, { param: 'model' });
  }
  const input = readModerationInput(call.body);
  return {
    warnings: [
      {
        code: 'sandbox_made_up',
        message: 'Nothing was judged: the sandbox flags text that contains `sandbox:flag:` and a category.',
        param: 'input',
      },
    ],
    async send() {
      const reply: ModerationCreateResponse = {
        id: `modr-${ulid()}`,
        model: modelIn(call),
        results: moderate(input),
      };
      return {
        lane: 'translated',
        mediaType: 'application/json',
        body: JSON.stringify(reply),
        usage: tokenUsage({ inputUncached: await estimateTokens(textsOf(input).join('\n')) }),
        counted: 'estimated',
      };
    },
  };
}

/** Moderations, which OpenAI counts no tokens of. */
export const moderationWire: ForwardWire = {
  ability: 'moderations',
  speaks: ['openai-chat', 'openai-responses'],
  suffix: () => '/moderations',
  modelNaming: namedInBody,
  modelIn,
  tokens: ({ bytes }) => Math.ceil(bytes.length / bytesPerToken),
  usage: () => null,
  elsewhere,
};
