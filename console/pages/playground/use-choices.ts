import { useQuery } from '@tanstack/react-query'
import { listUsableGroups, listUsableModels } from '../../api/models.ts'
import type { PlaygroundSettings } from './settings.ts'

/** Loads the available models and groups, and adjusts the settings to them. */
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
      others: models.data ? wanted.others.filter((name) => models.data.includes(name)) : wanted.others,
      // Until the groups are loaded, keep the earlier choice.
      group: oneOf(names, wanted.group, ownGroup) ?? (groups.data ? '' : wanted.group || ownGroup || ''),
    },
  }
}

export type Choices = ReturnType<typeof useChoices>

/** Returns the first preferred value that exists, else the first existing value. */
function oneOf(there: readonly string[], ...wished: (string | undefined)[]): string | undefined {
  return wished.find((wish) => wish !== undefined && there.includes(wish)) ?? there[0]
}
