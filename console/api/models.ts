import { useQuery } from '@tanstack/react-query'
import { call } from './client.ts'

/** Loads the models that the signed-in user may call. */
export const useUsableModels = () =>
  useQuery({ queryKey: ['model', 'usable'], queryFn: ({ signal }) => call('GET /api/user/models', { signal }) })

/** Loads the groups that the user may give to a token, with their ratios. */
export const useUsableGroups = () =>
  useQuery({ queryKey: ['group', 'usable'], queryFn: ({ signal }) => listUsableGroups(signal) })

async function listUsableGroups(signal: AbortSignal) {
  const groups = await call('GET /api/user/self/groups', { signal })
  return Object.entries(groups).map(([name, { desc, ratio }]) => ({ name, desc, ratio }))
}
