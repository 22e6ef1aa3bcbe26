import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { isAdmin, isRoot } from '../access.ts'
import { type Channel, listChannels } from '../api/channels.ts'
import { usePrices } from '../api/pricing.ts'
import { listTokens, type Token } from '../api/tokens.ts'
import { listUsers, type User } from '../api/users.ts'
import { usePaused } from '../components/typed-filter.ts'
import { loadSettingsTexts } from '../language.ts'
import type { OptionPlace } from '../pages/settings/options/option-index.ts'
import type { SessionUser } from '../session.ts'

/** Maximum number of results per kind of record. The screen of the kind can show all results. */
const RESULTS_MAX = 5
const PAUSE_MS = 200

/** The gateway's search results for the palette's input. */
export interface SearchResults {
  channels: readonly Channel[]
  users: readonly User[]
  tokens: readonly Token[]
  models: readonly string[]
}

const NOTHING: SearchResults = { channels: [], users: [], tokens: [], models: [] }

/** Searches after a pause in typing. If the search of one list fails, returns the results of the other lists. */
export function useSearch(user: SessionUser | undefined, input: string): SearchResults {
  const text = usePaused(useDeferredValue(input.trim()), PAUSE_MS)
  const models = usePrices({ enabled: user !== undefined })
  const { data = NOTHING } = useQuery<SearchResults>({
    queryKey: ['palette', user?.id, text],
    enabled: user !== undefined && text !== '',
    placeholderData: (before: SearchResults | undefined) => before,
    queryFn: ({ signal }) => search(user, text, signal),
  })
  if (text === '') return NOTHING
  const lowerText = text.toLowerCase()
  const names = models.data?.prices.map(({ model_name }) => model_name) ?? []
  return { ...data, models: names.filter((name) => name.toLowerCase().includes(lowerText)).slice(0, RESULTS_MAX) }
}

async function search(user: SessionUser | undefined, text: string, signal: AbortSignal): Promise<SearchResults> {
  const page = { page: 1, pageSize: RESULTS_MAX, keyword: text, group: '' }
  const none = async () => []
  const [channels, users, tokens] = await Promise.allSettled([
    isAdmin(user) ? channelsNamed(text, signal) : none(),
    isAdmin(user) ? listUsers(page, signal).then(({ items }) => items) : none(),
    listTokens({ ...page, key: '' }, signal).then(({ items }) => items),
  ])
  const first = <Row>(result: PromiseSettledResult<Row[]>) =>
    result.status === 'fulfilled' ? result.value.slice(0, RESULTS_MAX) : []
  return { channels: first(channels), users: first(users), tokens: first(tokens), models: [] }
}

async function channelsNamed(keyword: string, signal: AbortSignal): Promise<Channel[]> {
  const noFilters = { group: '', model: '', status: '', type: '', tag: '', newestFirst: false, byTag: false }
  return (await listChannels({ ...noFilters, page: 1, pageSize: RESULTS_MAX, keyword }, signal)).items
}

/** Returns the places of all options, and loads their texts. Empty until loaded, and for users other than root. */
export function useOptionPlaces(user: SessionUser | undefined): readonly OptionPlace[] {
  const [places, setPlaces] = useState<readonly OptionPlace[]>([])
  const mayEdit = isRoot(user)
  useEffect(() => {
    if (!mayEdit) return
    const load = async () => {
      const [index] = await Promise.all([import('../pages/settings/options/option-index.ts'), loadSettingsTexts()])
      setPlaces(index.OPTION_PLACES)
    }
    // If the options fail to load, the palette works without them.
    load().catch(() => setPlaces([]))
  }, [mayEdit])
  return places
}
