import type { Handlers } from '../contract/handlers.ts';
import type { ModelGateway } from '../models/port.ts';

export function modelHandlers(models: ModelGateway) {
  return {
    async listModels() {
      await models.refresh();
      return { status: 200, body: models.list() };
    },
  } satisfies Partial<Handlers>;
}
