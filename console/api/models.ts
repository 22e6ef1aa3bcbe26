import { call } from './client.ts'

/** Returns the models that the signed-in user may call. */
export const listUsableModels = (signal: AbortSignal) => call('GET /api/user/models', { signal })

/** Returns the groups that the user may give to a token, with their ratios. */
export async function listUsableGroups(signal: AbortSignal) {
  const groups = await call('GET /api/user/self/groups', { signal })
  return Object.entries(groups).map(([name, { desc, ratio }]) => ({ name, desc, ratio }))
}
