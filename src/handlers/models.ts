import type { Handlers } from '../contract/wire-operations.ts';
import { geminiModels } from '../gateway/wires/gemini/client/models.ts';
import type { ModelGateway } from '../model/port.ts';

export function modelHandlers(models: ModelGateway) {
  return {
    listModels: async () => {
      await models.refresh();
      const list = models.list();
      return { status: 200, body: { ...list, ...geminiModels(list) } };
    },
  } satisfies Partial<Handlers>;
}
