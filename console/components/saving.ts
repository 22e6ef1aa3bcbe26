import Message from '@arco-design/web-react/es/Message'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/client.ts'
import { useConfirm } from './confirm.tsx'
import { showError } from './show-error.ts'

/**
 * Returns a function that runs an action, but ignores calls while the action is running with the same input. A second
 * click may arrive before the page shows the effect of the first click. The second click must not pay, create or send
 * again. `run` must report its own failures.
 */
export function useOnce<Input>(run: (input: Input) => Promise<unknown>): (input: Input) => void {
  const runningInputs = useRef(new Set<string | undefined>())
  return useCallback(
    (input) => {
      const inputKey = JSON.stringify(input)
      if (runningInputs.current.has(inputKey)) return
      runningInputs.current.add(inputKey)
      const clear = () => runningInputs.current.delete(inputKey)
      run(input).then(clear, clear)
    },
    [run],
  )
}

interface ActionOptions<Input, Output> {
  run: (input: Input) => Promise<Output>
  /** The success message; absent: no message. */
  done?: string | ((output: Output, input: Input) => string)
  /** First elements of the query keys to invalidate, such as `token`. */
  stale?: readonly string[]
  /** Called after a success, before the queries are invalidated. */
  after?: (output: Output, input: Input) => unknown
}

/**
 * An action that changes data on the server. Shows the result in a toast and invalidates the queries in `stale`.
 * `mutate` is for clicks. It ignores a repeated click and never rejects. `mutateAsync` is for dialogs and drawers,
 * which prevent a second submission themselves. `mutateAsync` rejects after a failure, so that the window remains open
 * with its input.
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
      // Unless the server rejected the call, the action may have succeeded. Refetch, so that the user sees this before
      // a retry.
      if (!(error instanceof ApiError && error.kind === 'refused')) void refresh()
    },
  })
  return { ...mutation, mutate: useOnce(mutation.mutateAsync as (input: Input) => Promise<Output>) }
}

/**
 * Returns a function that asks the question, then deletes the record. Shows the result in a toast. Options as for
 * `useAction`.
 */
export function useConfirmedDelete<Input = void, Output = unknown>({
  okText,
  ...options
}: ActionOptions<Input, Output> & { okText?: string }): (question: string, input: Input) => void {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const { mutateAsync } = useAction({ done: t('action.done'), ...options })
  return (title, input) =>
    confirm({ title, okText: okText ?? t('action.delete'), danger: true, onOk: () => mutateAsync(input) })
}

interface RowChange<Row, Change, Reply> {
  /** Key of the query whose rows change at once: a noun, `'list'` and the filters. */
  queryKey: QueryKey
  /** Returns the row as it will be after the change. */
  changed: (row: Row, change: Change) => Row
  run: (change: Change) => Promise<Reply>
  /** Returns the row with the data of the server's reply, before the list is refetched. */
  merge?: (row: Row, reply: Reply, change: Change) => Row
  done?: string
}

/**
 * Changes a row of a list at once, and reverts the change if the call fails. `click` is for toggles. It ignores clicks
 * while a change of the row is pending, because a second click would undo the first. `mutate` queues the changes of a
 * row.
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
  const lastCalls = useRef(new Map<number, Promise<unknown>>())
  const changeRow = (key: QueryKey, { id }: Change, next: (row: Row) => Row) =>
    queryClient.setQueryData<{ items: Row[] }>(
      key,
      (list) => list && { ...list, items: list.items.map((row) => (row.id === id ? next(row) : row)) },
    )
  const pendingChanges = ({ id }: Change) =>
    queryClient.isMutating({ mutationKey, predicate: ({ state }) => (state.variables as Change).id === id })

  async function runInOrder(change: Change) {
    const earlier = lastCalls.current.get(change.id)
    const result = (async () => {
      await earlier?.catch(() => {})
      return run(change)
    })()
    lastCalls.current.set(change.id, result)
    return result
  }

  const mutation = useMutation({
    mutationKey,
    mutationFn: runInOrder,
    // Returns the query key, because the list may show another page when the reply arrives.
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
      if (before && pendingChanges(change) === 1) changeRow(context.key, change, () => before)
      showError(t, error)
    },
    onSettled: () => {
      // While other changes are pending, a refetch would show the rows without these changes.
      if (queryClient.isMutating({ mutationKey }) === 1) void queryClient.invalidateQueries({ queryKey: lists })
    },
  })
  return {
    ...mutation,
    click(change: Change) {
      if (pendingChanges(change) === 0) mutation.mutate(change)
    },
  }
}
