import { useQuery } from '@tanstack/react-query'
import { listPriceDetails, listPrices, type PriceGroup } from '../../api/pricing.ts'
import { getSelf } from '../../api/users.ts'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'

const DEFAULT_GROUP = 'default'

/** Loads the prices, their details for signed-in users, and the user's group. Visitors have the default group. */
export function usePricing() {
  const { user } = useStore(session)
  const signedIn = user !== undefined
  const list = useQuery({ queryKey: ['pricing', 'list'], queryFn: ({ signal }) => listPrices(signal) })
  const details = useQuery({
    queryKey: ['pricing', 'details'],
    queryFn: async ({ signal }) => new Map((await listPriceDetails(signal)).map((row) => [row.model_name, row])),
    enabled: signedIn,
  })
  // The user's group may have changed since sign-in.
  const self = useQuery({ queryKey: ['user', 'self'], queryFn: ({ signal }) => getSelf(signal), enabled: signedIn })
  const ownGroup = self.data?.group ?? user?.group ?? DEFAULT_GROUP
  return { list, details: details.data, ownGroup }
}

/** Returns the selected group if it exists, else the group `fallback`, else the first group. */
export function selectedGroupOf(
  groups: readonly PriceGroup[],
  { selected, fallback }: { selected: string; fallback: string },
) {
  return groups.find(({ name }) => name === selected) ?? groups.find(({ name }) => name === fallback) ?? groups[0]
}
