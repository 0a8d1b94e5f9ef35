import type { ModelLimits } from '../../../../src/factory/model/budget.ts';
import { createBuilder } from '../../../../src/factory/model/builder.ts';
import type { PriceOf } from '../../../../src/model/prices.ts';
import { type BuildSetting, carryOut, type FinishedBuild } from '../../../helpers/factory-build.ts';
import type { VendorRequest } from '../../../helpers/vendor.ts';
import { answering, boundaryIn, kindOf, type VendorAct } from '../../../helpers/vendor-answers.ts';
import { openAiFixture, type WireFixture } from '../../../helpers/vendor-fixtures.ts';
import { gatewayTo, type TestGateway } from '../../../helpers/vendor-gateway.ts';
import { marketFiles, marketSpec, written } from './market-app.ts';

export const wideLimits: ModelLimits = { outputTokens: 100_000, costUsd: 100, timeMs: 60_000 };

export interface ModelBuildSetting extends BuildSetting {
  readonly wire?: WireFixture;
  readonly limits?: Partial<ModelLimits>;
  readonly priceOf?: PriceOf;
  /** What the model says, where it differs from what a good one would; null: as a good one. */
  readonly act?: (question: string, index: number, request: VendorRequest) => VendorAct | null;
}

/** A good model: plans the market's list and writes its files. */
export function goodAnswer(question: string): VendorAct {
  return ['plan', 'correct'].includes(kindOf(question))
    ? JSON.stringify(marketSpec)
    : written(marketFiles, boundaryIn(question));
}

export interface ModelSetup {
  readonly gateway: TestGateway;
  /** What the log is told of calls without an answer. */
  readonly failures: readonly unknown[];
  build(more?: BuildSetting): Promise<FinishedBuild>;
}

export async function modelSetup({
  wire = openAiFixture,
  limits,
  priceOf = () => null,
  act = () => null,
  ...setting
}: ModelBuildSetting = {}): Promise<ModelSetup> {
  const gateway = await gatewayTo(
    wire,
    answering(wire, (question, index, request) => act(question, index, request) ?? goodAnswer(question)),
  );
  const failures: unknown[] = [];
  const builder = createBuilder({
    models: gateway,
    model: wire.model,
    limits: { ...wideLimits, ...limits },
    priceOf,
    onFailure: (error) => failures.push(error),
  });
  return { gateway, failures, build: (more = {}) => carryOut(builder, { ...setting, ...more }) };
}
