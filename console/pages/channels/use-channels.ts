import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type Channel,
  type ChannelActivity,
  type CircuitStatus,
  changeChannel,
  getActivity,
  getCircuits,
  listChannels,
} from '../../api/channels.ts'
import type { PagingState } from '../../components/paging.ts'
import { nextRefresh } from '../../components/refresh.ts'
import { useRowChange } from '../../components/saving.ts'
import { groupBy } from '../../records.ts'
import { type ChannelTableRow, groupByTag } from './rows.ts'

export const NO_FILTERS = { keyword: '', model: '', group: '', status: '', type: '', tag: '' }
export type ChannelFilterValues = typeof NO_FILTERS
/** Settings of the view in the URL: `true`, or empty if off. */
export const NO_VIEW = { id_sort: '', batch: '', tag_mode: '' }
export type ChannelViewParams = typeof NO_VIEW

type Change = Pick<Channel, 'id'> & Partial<Pick<Channel, 'status' | 'priority' | 'weight'>>

const WATCH_MS = 60_000
const WATCH_EVERY_MS = 3000

export const channelQueryOf = (filters: ChannelFilterValues, view: ChannelViewParams) => ({
  ...filters,
  newestFirst: view.id_sort === 'true',
  byTag: view.tag_mode === 'true',
})

/** Loads the channels that match the filters. `change` changes one channel and shows the new value at once. */
export function useChannels(
  filters: ChannelFilterValues,
  view: ChannelViewParams,
  { page, pageSize, sort, order }: PagingState,
) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const [watchedUntil, setWatchedUntil] = useState(0)
  const query = { ...channelQueryOf(filters, view), page, pageSize, sort, order }
  const queryKey = ['channel', 'list', query] as const
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey,
    queryFn: ({ signal }) => listChannels(query, signal),
    // Shows the previous rows while loading, unless the view changes between channels and tags.
    placeholderData: (before, of) => (of?.queryKey[2].byTag === query.byTag ? before : undefined),
    refetchInterval: ({ state }) => (Date.now() < watchedUntil ? nextRefresh(state, WATCH_EVERY_MS) : false),
  })
  const isByTag = query.byTag
  const rows = useMemo(() => {
    const items: ChannelTableRow[] = isByTag ? groupByTag(data?.items ?? []) : (data?.items ?? [])
    return data && { items, total: data.total }
  }, [data, isByTag])
  const change = useRowChange<Channel, Change>({
    queryKey,
    changed: (row, { id: _, ...fields }) => ({ ...row, ...fields }),
    run: changeChannel,
    done: t('action.done'),
  })
  return {
    listing: {
      data: rows,
      error,
      isFetching,
      isPlaceholderData,
      refetch: () => queryClient.invalidateQueries({ queryKey: ['channel'] }),
    },
    change,
    /** Polls the list for one minute, to show the results of background jobs. */
    watch: () => setWatchedUntil(Date.now() + WATCH_MS),
  }
}

/** Returns the circuits that currently block requests, by channel id. */
export function useCircuits(): ReadonlyMap<number, CircuitStatus[]> {
  const { data } = useQuery({
    queryKey: ['channel', 'circuits'],
    queryFn: ({ signal }) => getCircuits(signal),
    refetchInterval: ({ state }) => nextRefresh(state, 15_000),
  })
  return useMemo(() => groupBy(data ?? [], ({ channel_id }) => channel_id), [data])
}

const ACTIVITY_EVERY_MS = 60_000

/** Returns the activity in the last 24 hours by channel id; undefined until loaded. */
export function useActivity(): ReadonlyMap<number, ChannelActivity> | undefined {
  const { data } = useQuery({
    queryKey: ['channel-activity'],
    queryFn: ({ signal }) => getActivity(signal),
    refetchInterval: ({ state }) => nextRefresh(state, ACTIVITY_EVERY_MS),
  })
  return useMemo(() => data && new Map(data.map((activity) => [activity.channel_id, activity])), [data])
}
