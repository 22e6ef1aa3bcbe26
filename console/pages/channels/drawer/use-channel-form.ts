import { useQuery } from '@tanstack/react-query'
import { getChannel, kindsKey, listBuiltInModels, listKinds } from '../../../api/channel-form.ts'
import { useGroupNames } from '../../../api/users.ts'

/** The channel to create or edit. */
export type ChannelTarget = { mode: 'new' } | { mode: 'edit'; id: number }

/** Loads the channel types with texts in the current language. */
export function useKinds() {
  return useQuery({ queryKey: kindsKey(), queryFn: ({ signal }) => listKinds(signal), staleTime: Infinity })
}

/** Loads the choices of the form: group names and all built-in models. Both are empty until loaded. */
export function useChannelChoices() {
  const groups = useGroupNames()
  const models = useQuery({
    queryKey: ['model', 'built-in'],
    queryFn: ({ signal }) => listBuiltInModels(signal),
    staleTime: Infinity,
  })
  return { groups: groups.data ?? [], builtInModels: models.data ?? [] }
}

/**
 * Loads the channel to edit each time the drawer opens, but not again while it is open. An edit contains only the
 * fields that differ from the initial values, so these must not change while the user edits the form.
 */
export function useEditedChannel(target: ChannelTarget | undefined) {
  const id = target?.mode === 'edit' ? target.id : undefined
  return useQuery({
    queryKey: ['channel-edited', id],
    queryFn: ({ signal }) => getChannel(id ?? 0, signal),
    enabled: id !== undefined,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
}
