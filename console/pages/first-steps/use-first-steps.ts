import { useQuery } from '@tanstack/react-query'
import { getFirstSteps } from '../../api/first-steps.ts'
import { nextRefresh } from '../../components/refresh.ts'
import { session } from '../../session.ts'
import { readStored, writeStored } from '../../storage.ts'
import { createStore, useStore } from '../../store.ts'

/** Ids of the users of this browser who have completed or dismissed the steps. */
const hiddenFor = createStore<readonly number[]>(readStored('first-steps', isIds) ?? [])
const REMEMBERED_MAX = 50

export function hideFirstSteps(userId: number): void {
  const ids = [userId, ...hiddenFor.get().filter((id) => id !== userId)].slice(0, REMEMBERED_MAX)
  hiddenFor.set(ids)
  writeStored('first-steps', ids)
}

interface Options {
  everyMs: number
  /** Loads the steps even if they are completed or dismissed. For the page of the steps. */
  always?: boolean
}

/**
 * Loads the progress of the first steps, and polls until completion. Loads nothing without a user. If the user has
 * completed or dismissed the steps, loads them only with `always`.
 */
export function useFirstSteps({ everyMs, always = false }: Options) {
  const { user } = useStore(session)
  const hiddenUsers = useStore(hiddenFor)
  const isHidden = user === undefined || hiddenUsers.includes(user.id)
  const query = useQuery({
    queryKey: ['first-steps', user?.id],
    queryFn: async ({ signal }) => {
      const progress = await getFirstSteps(signal)
      if (user && progress.steps.every(({ done }) => done)) hideFirstSteps(user.id)
      return progress
    },
    enabled: user !== undefined && (always || !isHidden),
    refetchInterval: ({ state }) => (state.data?.steps.every(({ done }) => done) ? false : nextRefresh(state, everyMs)),
  })
  return { ...query, isHidden }
}

function isIds(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(Number.isInteger)
}
