import { createStore } from '../store.ts'
import type { Body } from './calls.ts'
import { call } from './client.ts'

/** The current option values by key, all as text, without secrets. */
export type OptionTexts = Readonly<Record<string, string>>

/** The values that options have without a change, by key: the default, and that of a new database. The first is the one to restore. */
export type OptionDefaults = Readonly<Record<string, readonly [string, ...string[]]>>

/** The option defaults from the last list: they do not change while the gateway runs. */
export const optionDefaults = createStore<OptionDefaults>({})

export async function listOptions(signal: AbortSignal): Promise<OptionTexts> {
  const options = await call('GET /api/option/', { signal })
  optionDefaults.set(
    Object.fromEntries(
      options.map(({ key, default: standard, initial = standard }) => [key, [initial, standard] as const]),
    ),
  )
  return Object.fromEntries(options.map(({ key, value }) => [key, value]))
}

export async function listFilledSecrets(signal: AbortSignal): Promise<ReadonlySet<string>> {
  return new Set(await call('GET /api/option/secrets', { signal }))
}

/** With `was`, throws OPTION_CHANGED if another user has saved another value since. */
export const saveOption = (body: Body<'PUT /api/option/'> & { value: string }) => call('PUT /api/option/', { body })

/** Unlike saving a single option, this is rejected while an enabled option depends on it. */
export const clearOption = (key: string) => call('PUT /api/option/batch', { body: { changes: [{ key, value: '' }] } })

export const resetModelRatios = () => call('POST /api/option/rest_model_ratio')

/** Deletes log rows older than the timestamp. Returns their number. */
export const clearLogs = (target_timestamp: number) => call('DELETE /api/log/', { query: { target_timestamp } })
