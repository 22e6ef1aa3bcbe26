import type { Column } from '../output/column.ts'

/** A model of the upstream or of its channel. */
export interface UpstreamModel {
  model: string
  /** `new`: the channel does not serve it; `gone`: the upstream no longer lists it. */
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

/** Returns all models of the upstream in its order, then the models that only the channel has. */
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
