import { createStore } from '../store.ts'
import type { RequestBody } from './calls.ts'
import { call } from './client.ts'

/** The current values of all options except secrets, by option key, as text. */
export type OptionTexts = Readonly<Record<string, string>>

/**
 * The values with which an option is shown as unchanged, by option key. The first is the initial value in a new database,
 * which the field's reset button inserts. The second is the default.
 */
export type OptionDefaults = Readonly<Record<string, readonly [string, ...string[]]>>

/** The defaults from the last call of `listOptions`. The defaults do not change while the gateway runs. */
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

/** Returns the keys of secret options that have a value. */
export async function listFilledSecrets(signal: AbortSignal): Promise<ReadonlySet<string>> {
  return new Set(await call('GET /api/option/secrets', { signal }))
}

/** Saves one option. Throws OPTION_CHANGED if `was` is given and is not the stored value. */
export const saveOption = (body: RequestBody<'PUT /api/option/'> & { value: string }) =>
  call('PUT /api/option/', { body })

/** Clears an option. Throws OPTION_NEEDED while an enabled option requires it. */
export const clearOption = (key: string) => call('PUT /api/option/batch', { body: { changes: [{ key, value: '' }] } })

export const resetModelRatios = () => call('POST /api/option/rest_model_ratio')

/** Deletes the log rows from before the timestamp, in unix seconds. Returns the number of deleted rows. */
export const clearLogs = (target_timestamp: number) => call('DELETE /api/log/', { query: { target_timestamp } })
