import { useQuery } from '@tanstack/react-query'
import { getFirstSteps } from '../../api/first-steps.ts'
import { nextRefresh } from '../../components/refresh.ts'
import { session } from '../../session.ts'
import { readStored, writeStored } from '../../storage.ts'
import { createStore, useStore } from '../../store.ts'

/** Users of this browser who have completed or dismissed the steps. */
const putAway = createStore<readonly number[]>(readStored('first-steps', isIds) ?? [])
const REMEMBERED_MAX = 50

export function hideFirstSteps(userId: number): void {
  const ids = [userId, ...putAway.get().filter((id) => id !== userId)].slice(0, REMEMBERED_MAX)
  putAway.set(ids)
  writeStored('first-steps', ids)
}

interface Options {
  everyMs: number
  /** Load even if completed or dismissed, for the steps' own page. */
  always?: boolean
}

/** Loads the progress of the first steps, and polls until they are completed. Loads nothing after the user has dismissed them. */
export function useFirstSteps({ everyMs, always = false }: Options) {
  const { user } = useStore(session)
  const away = useStore(putAway)
  const isAway = user === undefined || away.includes(user.id)
  const query = useQuery({
    queryKey: ['first-steps', user?.id],
    queryFn: async ({ signal }) => {
      const found = await getFirstSteps(signal)
      if (user && found.steps.every(({ done }) => done)) hideFirstSteps(user.id)
      return found
    },
    enabled: user !== undefined && (always || !isAway),
    refetchInterval: ({ state }) => (state.data?.steps.every(({ done }) => done) ? false : nextRefresh(state, everyMs)),
  })
  return { ...query, isAway }
}

function isIds(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(Number.isInteger)
}
