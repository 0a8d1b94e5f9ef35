import { Switchyard } from '@switchyard/client';

const switchyard = new Switchyard();

const models = await switchyard.listModels();
for (const model of models.data) console.log(model.id, model.provider);
