import { nothingSpent } from '../../chat/usage.ts';
import type { FeatureDeclaration } from '../../features/declaration.ts';
import type { FeatureService } from '../../features/service.ts';
import { shorten } from '../../lib/shorten.ts';
import type { AgentTool, ToolSource } from './tool.ts';

/** The AI features as tools, each under its own id. What their models use is accounted under the run. */
export function featureSource(
  id: string,
  features: FeatureService,
  declarations: readonly FeatureDeclaration[],
): ToolSource {
  const tools = declarations.map((declaration) => toolOf(features, declaration));
  return { id, list: () => tools, refresh: async () => undefined, close: async () => undefined };
}

function toolOf(
  features: FeatureService,
  { id, name, summary, description, input }: FeatureDeclaration,
): AgentTool {
  return {
    name: id,
    description: shorten(`${name}: ${summary}. ${description}`, 500),
    parameters: input,
    get available() {
      return features.list().data.some((feature) => feature.id === id && feature.engine !== null);
    },
    async run(values, { signal, onAttempt, onUsage }) {
      const prepared = await features.prepare(id, { input: { ...values } });
      const spent = nothingSpent();
      try {
        const { output } = await features.execute(prepared, { signal, onAttempt }, spent);
        return JSON.stringify(output);
      } finally {
        for (const use of spent.uses) onUsage(use);
      }
    },
  };
}
