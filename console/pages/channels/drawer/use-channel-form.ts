import { useQuery } from '@tanstack/react-query'
import { getChannel, kindsKey, listBuiltInModels, listGroupNames, listKinds } from '../../../api/channel-form.ts'

/** Which channel the drawer is about. */
export type ChannelTarget = { mode: 'new' } | { mode: 'edit'; id: number }

/** The kinds of upstreams, in the language shown. */
export function useKinds() {
  return useQuery({ queryKey: kindsKey(), queryFn: ({ signal }) => listKinds(signal), staleTime: Infinity })
}

/** What can be chosen from: names of groups, and of all built-in models. */
export function useChoices() {
  const groups = useQuery({ queryKey: ['group', 'names'], queryFn: ({ signal }) => listGroupNames(signal) })
  const models = useQuery({
    queryKey: ['model', 'built-in'],
    queryFn: ({ signal }) => listBuiltInModels(signal),
    staleTime: Infinity,
  })
  return { groups: groups.data ?? [], builtInModels: models.data ?? [] }
}

/**
 * The channel to edit, loaded anew each time the drawer opens and never while it is open: what a person is at work on must not
 * change below their hands, and an edit is told from what the form began with.
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
