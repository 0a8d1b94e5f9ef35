import { Switchyard } from '@switchyard/client';

const switchyard = new Switchyard();

const features = await switchyard.listFeatures();
for (const feature of features.data) console.log(feature.id, feature.availability);
