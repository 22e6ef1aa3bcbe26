import Message from '@arco-design/web-react/es/Message'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/client.ts'
import { tellFailure } from './tell-failure.ts'

/**
 * Starts what a click asks for. The same, asked for again while it is under way, is what is under way: a second click may come
 * before the page shows that the first was taken, and nothing shall be paid, made or sent twice by it. Failures are said by
 * `run`.
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

interface Act<Input, Output> {
  run: (input: Input) => Promise<Output>
  /** What to say when it is done, if anything. */
  done?: string | ((output: Output, input: Input) => string)
  /** Whose data is old now: the first words of their query keys. */
  stale?: readonly string[]
  after?: (output: Output, input: Input) => unknown
}

/**
 * Something that a person does to the server's data. It says how it ended, in a toast, and has what it changed asked for
 * again. `mutate` is for clicks; `mutateAsync` is for windows, which submit once by themselves, and rejects when it failed, so
 * that they stay open with what was typed.
 */
export function useAct<Input = void, Output = unknown>({ run, done, stale = [], after }: Act<Input, Output>) {
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
      tellFailure(t, error)
      // Where no answer came it may be done all the same: who tries again shall see what there is now.
      if (!(error instanceof ApiError && error.kind === 'refused')) void refresh()
    },
  })
  return { ...mutation, mutate: useOnce(mutation.mutateAsync as (input: Input) => Promise<Output>) }
}

interface RowChange<Row, Change, Answer> {
  /** The query whose rows are changed at once, before the server has answered: a noun, `'list'`, and what finds them. */
  queryKey: QueryKey
  changed: (row: Row, change: Change) => Row
  run: (change: Change) => Promise<Answer>
  /** What the row takes on from the server's answer, before the list is asked for again. */
  answered?: (row: Row, answer: Answer, change: Change) => Row
  done?: string
}

/**
 * A change of a row in a list: shown as done at once, and put back when the server refuses. `click` is for what each click
 * turns round, and takes none while the row's last change is under way: the second click of two would undo the first.
 * What `mutate` changes has its turn after that.
 */
export function useRowChange<Row extends { id: number }, Change extends { id: number }, Answer = unknown>({
  queryKey,
  changed,
  run,
  answered,
  done,
}: RowChange<Row, Change, Answer>) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const lists = queryKey.slice(0, 2)
  const mutationKey = [...lists, 'row']
  const turns = useRef(new Map<number, Promise<unknown>>())
  const changeRow = (key: QueryKey, { id }: Change, next: (row: Row) => Row) =>
    queryClient.setQueryData<{ items: Row[] }>(
      key,
      (shown) => shown && { ...shown, items: shown.items.map((row) => (row.id === id ? next(row) : row)) },
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
    // The list may show another page by the time of the answer.
    onMutate: async (change: Change) => {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData<{ items: Row[] }>(queryKey)?.items.find((row) => row.id === change.id)
      changeRow(queryKey, change, (row) => changed(row, change))
      return { key: queryKey, before }
    },
    onSuccess: (answer, change, { key }) => {
      if (answered) changeRow(key, change, (row) => answered(row, answer, change))
      if (done) Message.success(done)
    },
    onError: (error, change, shown) => {
      const before = shown?.before
      // What was changed since is not put back with it.
      if (before && underWay(change) === 1) changeRow(shown.key, change, () => before)
      tellFailure(t, error)
    },
    onSettled: () => {
      // While others are under way, the list would come without what they are about to change.
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
