import type { Handlers } from '../contract/handlers.ts';
import type { ModelGateway } from '../models/port.ts';
import { geminiModels } from '../wires/gemini/models.ts';

export function modelHandlers(models: ModelGateway) {
  return {
    listModels: async () => {
      await models.refresh();
      const list = models.list();
      return { status: 200, body: { ...list, ...geminiModels(list) } };
    },
  } satisfies Partial<Handlers>;
}
