import Message from '@arco-design/web-react/es/Message'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/client.ts'
import { showError } from './show-error.ts'

/**
 * Runs a click's action, but not while the same action with the same input is still running: a second click may arrive
 * before the page shows the first, and must not pay, create or send twice. `run` must report its own failures.
 */
export function useOnce<Input>(run: (input: Input) => Promise<unknown>): (input: Input) => void {
  const underWay = useRef(new Set<string | undefined>())
  return useCallback(
    (input) => {
      const same = JSON.stringify(input)
      if (underWay.current.has(same)) return
      underWay.current.add(same)
      const over = () => underWay.current.delete(same)
      run(input).then(over, over)
    },
    [run],
  )
}

interface ActionOptions<Input, Output> {
  run: (input: Input) => Promise<Output>
  /** Success message, if any. */
  done?: string | ((output: Output, input: Input) => string)
  /** First parts of the query keys to invalidate. */
  stale?: readonly string[]
  after?: (output: Output, input: Input) => unknown
}

/**
 * An action on the server's data. Shows the result in a toast and invalidates the changed queries. `mutate` is for clicks.
 * `mutateAsync` is for windows, which prevent double submission themselves; it rejects on failure, so that they stay open
 * with their input.
 */
export function useAction<Input = void, Output = unknown>({
  run,
  done,
  stale = [],
  after,
}: ActionOptions<Input, Output>) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const refresh = () => Promise.all(stale.map((noun) => queryClient.invalidateQueries({ queryKey: [noun] })))
  const mutation = useMutation({
    mutationFn: run,
    onSuccess: async (output, input) => {
      if (done) Message.success(typeof done === 'string' ? done : done(output, input))
      await after?.(output, input)
      await refresh()
    },
    onError: (error) => {
      showError(t, error)
      // Without a reply the action may have succeeded all the same: refetch before the user retries.
      if (!(error instanceof ApiError && error.kind === 'refused')) void refresh()
    },
  })
  return { ...mutation, mutate: useOnce(mutation.mutateAsync as (input: Input) => Promise<Output>) }
}

interface RowChange<Row, Change, Reply> {
  /** The query whose rows change optimistically: a noun, `'list'` and the filters. */
  queryKey: QueryKey
  changed: (row: Row, change: Change) => Row
  run: (change: Change) => Promise<Reply>
  /** Merges the server's reply into the row, before the list is refetched. */
  merge?: (row: Row, reply: Reply, change: Change) => Row
  done?: string
}

/**
 * Changes a row in a list optimistically, and reverts it if the server rejects the change. `click` is for toggles; it
 * ignores clicks while the row's last change is pending, because a second click would undo the first. `mutate` queues its
 * changes.
 */
export function useRowChange<Row extends { id: number }, Change extends { id: number }, Reply = unknown>({
  queryKey,
  changed,
  run,
  merge,
  done,
}: RowChange<Row, Change, Reply>) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const lists = queryKey.slice(0, 2)
  const mutationKey = [...lists, 'row']
  const turns = useRef(new Map<number, Promise<unknown>>())
  const changeRow = (key: QueryKey, { id }: Change, next: (row: Row) => Row) =>
    queryClient.setQueryData<{ items: Row[] }>(
      key,
      (list) => list && { ...list, items: list.items.map((row) => (row.id === id ? next(row) : row)) },
    )
  const underWay = ({ id }: Change) =>
    queryClient.isMutating({ mutationKey, predicate: ({ state }) => (state.variables as Change).id === id })

  async function inTurn(change: Change) {
    const earlier = turns.current.get(change.id)
    const mine = (async () => {
      await earlier?.catch(() => {})
      return run(change)
    })()
    turns.current.set(change.id, mine)
    return mine
  }

  const mutation = useMutation({
    mutationKey,
    mutationFn: inTurn,
    // The list may show another page when the reply arrives.
    onMutate: async (change: Change) => {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData<{ items: Row[] }>(queryKey)?.items.find((row) => row.id === change.id)
      changeRow(queryKey, change, (row) => changed(row, change))
      return { key: queryKey, before }
    },
    onSuccess: (reply, change, { key }) => {
      if (merge) changeRow(key, change, (row) => merge(row, reply, change))
      if (done) Message.success(done)
    },
    onError: (error, change, context) => {
      const before = context?.before
      // Do not revert if later changes to the row are pending.
      if (before && underWay(change) === 1) changeRow(context.key, change, () => before)
      showError(t, error)
    },
    onSettled: () => {
      // While other changes are pending, a refetch would show the rows without them.
      if (queryClient.isMutating({ mutationKey }) === 1) void queryClient.invalidateQueries({ queryKey: lists })
    },
  })
  return {
    ...mutation,
    click(change: Change) {
      if (underWay(change) === 0) mutation.mutate(change)
    },
  }
}
