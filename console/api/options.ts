import type { Body } from './calls.ts'
import { call } from './client.ts'

/** The values in force by key, as the server writes them: all are texts. Secrets are not among them. */
export type OptionTexts = Readonly<Record<string, string>>

export async function listOptions(signal: AbortSignal): Promise<OptionTexts> {
  const options = await call('GET /api/option/', { signal })
  return Object.fromEntries(options.map(({ key, value }) => [key, value]))
}

export async function listFilledSecrets(signal: AbortSignal): Promise<ReadonlySet<string>> {
  return new Set(await call('GET /api/option/secrets', { signal }))
}

export const saveOption = (body: Required<Body<'PUT /api/option/'>>) => call('PUT /api/option/', { body })

/** Unlike a save of one alone, this is refused while an enabled option rests on it. */
export const clearOption = (key: string) => call('PUT /api/option/batch', { body: { changes: [{ key, value: '' }] } })

export const resetModelRatios = () => call('POST /api/option/rest_model_ratio')

/** Removes the log rows that are older; answers how many there were. */
export const clearLogs = (target_timestamp: number) => call('DELETE /api/log/', { query: { target_timestamp } })
