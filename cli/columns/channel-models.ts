import type { Column } from '../output/column.ts'

/** A model that the upstream or the channel has. */
export interface UpstreamModel {
  model: string
  /** `new`: only the upstream has the model; `gone`: only the channel has the model. */
  state: 'new' | 'served' | 'gone'
}

export const UPSTREAM_MODEL_COLUMNS: readonly Column<UpstreamModel>[] = [
  { name: 'model', value: ({ model }) => model, cut: true },
  {
    name: 'state',
    value: ({ state }, { label }) => label(state),
    tone: ({ state }) => (state === 'new' ? 'good' : state === 'gone' ? 'bad' : 'faint'),
  },
]

/** Returns all models of the upstream in the upstream's order, then the models that only the channel has. */
export function modelStates(upstream: readonly string[], served: readonly string[] = []): UpstreamModel[] {
  const [upstreamModels, channelModels] = [new Set(upstream), new Set(served)]
  return [
    ...[...upstreamModels].map(
      (model): UpstreamModel => ({ model, state: channelModels.has(model) ? 'served' : 'new' }),
    ),
    ...[...channelModels]
      .filter((model) => !upstreamModels.has(model))
      .map((model): UpstreamModel => ({ model, state: 'gone' })),
  ]
}
