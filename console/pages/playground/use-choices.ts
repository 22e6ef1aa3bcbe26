import { useQuery } from '@tanstack/react-query'
import { listUsableGroups, listUsableModels } from '../../api/models.ts'
import type { PlaygroundSettings } from './settings.ts'

/** The models and groups to choose from, and the settings as far as they can be met. */
export function useChoices(wanted: PlaygroundSettings, ownGroup: string | undefined) {
  const models = useQuery({ queryKey: ['model', 'usable'], queryFn: ({ signal }) => listUsableModels(signal) })
  const groups = useQuery({ queryKey: ['group', 'usable'], queryFn: ({ signal }) => listUsableGroups(signal) })
  const names = (groups.data ?? []).map(({ name }) => name)
  return {
    models,
    groups,
    settings: {
      ...wanted,
      model: oneOf(models.data ?? [], wanted.model) ?? wanted.model,
      // Until they are known, what was chosen earlier is as good.
      group: oneOf(names, wanted.group, ownGroup) ?? (groups.data ? '' : wanted.group || ownGroup || ''),
    },
  }
}

export type Choices = ReturnType<typeof useChoices>

/** The first of the wished that there is; else whatever comes first. */
function oneOf(there: readonly string[], ...wished: (string | undefined)[]): string | undefined {
  return wished.find((wish) => wish !== undefined && there.includes(wish)) ?? there[0]
}
