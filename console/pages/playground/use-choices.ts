import { useUsableGroups, useUsableModels } from '../../api/models.ts'
import type { PlaygroundSettings } from './settings.ts'

/** Loads the user's models and groups. In the returned settings, replaces or removes the unavailable ones. */
export function usePlaygroundChoices(requested: PlaygroundSettings, ownGroup: string | undefined) {
  const models = useUsableModels()
  const groups = useUsableGroups()
  const names = (groups.data ?? []).map(({ name }) => name)
  return {
    models,
    groups,
    settings: {
      ...requested,
      model: oneOf(models.data ?? [], requested.model) ?? requested.model,
      others: models.data ? requested.others.filter((name) => models.data.includes(name)) : requested.others,
      // Until the groups are loaded, the group is the requested one, or the user's own if none is requested.
      group: oneOf(names, requested.group, ownGroup) ?? (groups.data ? '' : requested.group || ownGroup || ''),
    },
  }
}

export type Choices = ReturnType<typeof usePlaygroundChoices>

/** Returns the first preferred value that is available, else the first available value. */
function oneOf(available: readonly string[], ...preferred: (string | undefined)[]): string | undefined {
  return preferred.find((value) => value !== undefined && available.includes(value)) ?? available[0]
}
