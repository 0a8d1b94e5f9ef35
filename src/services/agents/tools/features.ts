import { shorten } from '../../../lib/static-text.ts';
import { nothingSpent } from '../../../tenants/metering/spent.ts';
import type { Feature } from '../../features/catalogue.ts';
import type { FeatureService } from '../../features/service.ts';
import type { AgentTool, ToolSource } from './tool.ts';

/**
 * The AI features as tools, each under its own id. What their models use is accounted under the run, which keeps those that it
 * has begun with when they are exchanged.
 */
export function featureSource(id: string, features: FeatureService): ToolSource {
  let of: readonly Feature[] = [];
  let tools: readonly AgentTool[] = [];
  const list = () => {
    if (of !== features.all) tools = features.all.map((feature) => toolOf(features, feature));
    of = features.all;
    return tools;
  };
  return { id, list, refresh: async () => undefined, close: async () => undefined };
}

/** Maximum number of characters of a tool's description: the model reads all of them at each step. */
const maxDescriptionLength = 500;

/** On one line, and as many whole sentences as there is room for. */
function descriptionOf(description: string): string {
  const text = description.replaceAll(/\s+/g, ' ').trim();
  if (text.length <= maxDescriptionLength) return text;
  const end = text.slice(0, maxDescriptionLength).search(/[.!?](?=\s[^.!?]*$)/);
  return end < 0 ? shorten(text, maxDescriptionLength) : text.slice(0, end + 1);
}

function toolOf(features: FeatureService, feature: Feature): AgentTool {
  const { id, summary, description, input } = feature.declaration;
  return {
    name: id,
    description: descriptionOf(description || summary),
    parameters: input,
    get available() {
      return features.list().data.some((feature) => feature.id === id && feature.engine !== null);
    },
    async run(values, { caller, signal, onAttempt, onUsage }) {
      const prepared = await features.prepareFeature(feature, { input: { ...values } });
      const spent = nothingSpent();
      try {
        const { output } = await features.execute(
          prepared,
          { signal, tenant: caller.tenantId, onAttempt },
          spent,
        );
        return JSON.stringify(output);
      } finally {
        for (const use of spent.uses) onUsage(use);
      }
    },
  };
}
