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

/** All models of the upstream in its order, then those that only the channel has. */
export function modelStates(upstream: readonly string[], served: readonly string[] = []): UpstreamModel[] {
  const [there, here] = [new Set(upstream), new Set(served)]
  return [
    ...[...there].map((model): UpstreamModel => ({ model, state: here.has(model) ? 'served' : 'new' })),
    ...[...here].filter((model) => !there.has(model)).map((model): UpstreamModel => ({ model, state: 'gone' })),
  ]
}
