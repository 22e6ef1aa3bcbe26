import type { Column } from '../column.ts'

/** A model of an upstream, or of the channel to it. */
export interface UpstreamModel {
  model: string
  /** `new`: the channel does not serve it; `gone`: the upstream does not name it any more. */
  state: 'new' | 'served' | 'gone'
}

export const MODEL_COLUMNS: readonly Column<UpstreamModel>[] = [
  { title: 'model', value: ({ model }) => model, cut: true },
  {
    title: 'state',
    value: ({ state }, { text }) => text(state),
    tone: ({ state }) => (state === 'new' ? 'good' : state === 'gone' ? 'bad' : 'faint'),
  },
]

/** What the upstream has, in its order, and then what only the channel has. */
export function modelStates(upstream: readonly string[], served: readonly string[] = []): UpstreamModel[] {
  const [there, here] = [new Set(upstream), new Set(served)]
  return [
    ...[...there].map((model): UpstreamModel => ({ model, state: here.has(model) ? 'served' : 'new' })),
    ...[...here].filter((model) => !there.has(model)).map((model): UpstreamModel => ({ model, state: 'gone' })),
  ]
}
