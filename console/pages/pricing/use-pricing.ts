import { useQuery } from '@tanstack/react-query'
import { listPriceDetails, listPrices, type PriceGroup } from '../../api/pricing.ts'
import { getSelf } from '../../api/users.ts'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'

const DEFAULT_GROUP = 'default'

/** Loads the prices and the visitor's group: the account's, or the default. */
export function usePricing() {
  const { user } = useStore(session)
  const signedIn = user !== undefined
  const list = useQuery({ queryKey: ['pricing', 'list'], queryFn: ({ signal }) => listPrices(signal) })
  const details = useQuery({
    queryKey: ['pricing', 'details'],
    queryFn: async ({ signal }) => new Map((await listPriceDetails(signal)).map((row) => [row.model_name, row])),
    enabled: signedIn,
  })
  // The group may have changed since sign-in.
  const self = useQuery({ queryKey: ['user', 'self'], queryFn: ({ signal }) => getSelf(signal), enabled: signedIn })
  const ownGroup = self.data?.group ?? user?.group ?? DEFAULT_GROUP
  return { list, details: details.data, ownGroup }
}

/** Returns the chosen group if it exists, else the user's. */
export function groupOf(groups: readonly PriceGroup[], { selected, fallback }: { selected: string; fallback: string }) {
  return groups.find(({ name }) => name === selected) ?? groups.find(({ name }) => name === fallback) ?? groups[0]
}
