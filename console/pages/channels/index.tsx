import Button from '@arco-design/web-react/es/Button'
import { IconPlus } from '@arco-design/web-react/icon'
import { memo, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CHANNEL_STATUS, type Channel, listChannels } from '../../api/channels.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { everyPage } from '../../components/data-table/every-page.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { PageFrame } from '../../components/page.tsx'
import { useFilters, usePaging } from '../../components/paging.ts'
import { useStableHandlers } from '../../components/stable-handlers.ts'
import { useLocation, useNavigate, useParams, useSearchParams } from '../../router/hooks.ts'
import { withParameters } from '../../router/location.ts'
import NotFoundPage from '../not-found.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { ChannelFilters, ViewSwitches } from './channel-filters.tsx'
import type { ChannelTarget } from './drawer/use-channel-form.ts'
import './channels.css'
import { type ChannelRowHandlers, channelColumns } from './columns.tsx'
import { ChannelDrawer } from './drawer/index.tsx'
import { HealthDialog } from './health-dialog.tsx'
import { useKindName } from './kinds.ts'
import { Operations } from './operations.tsx'
import { type ChannelTableRow, isTagRow, rowKeyOf, selectedIdsOf } from './rows.ts'
import { TagDrawer } from './tag-drawer/index.tsx'
import {
  type ChannelViewParams,
  channelQueryOf,
  NO_FILTERS,
  NO_VIEW,
  useActivity,
  useChannels,
  useCircuits,
} from './use-channels.ts'
import { useRowHandlers } from './use-row-handlers.ts'

const MemoOperations = memo(Operations)
const MemoFilters = memo(ChannelFilters)
const MemoSwitches = memo(ViewSwitches)
const MemoDrawer = memo(ChannelDrawer)
const MemoTagDrawer = memo(TagDrawer)
const MemoHealth = memo(HealthDialog)

/** The list of channels. The URL determines the open drawer, so an invalid channel id in the URL gives "not found". */
export default function ChannelsPage() {
  const { id } = useParams()
  return id === undefined || /^\d+$/.test(id) ? <Channels /> : <NotFoundPage />
}

function Channels() {
  const { t } = useTranslation()
  const paging = usePaging()
  const { filters, setFilters, clear, filtered, count } = useFilters(NO_FILTERS)
  const { filters: view, setFilters: setView } = useFilters(NO_VIEW)
  const { setFilters: showTag } = useFilters({ ...NO_FILTERS, ...NO_VIEW })
  const { listing, change, watch } = useChannels(filters, view, paging)
  const { target, editedTag, add: openNew, edit, editTag, close } = useDrawers()
  const [healthOf, setHealthOf] = useState<Channel>()
  const rows = listing.data?.items ?? []
  const isByTag = view.tag_mode === 'true'
  const { batch, ids, setSelected, changeView } = useSelection(rows, view, setView)

  // With stable handlers, the elements around the list do not rerender when the user selects a row.
  const stable = useStableHandlers({
    setFilters,
    clear,
    changeView,
    watch,
    close,
    endHealth: () => setHealthOf(undefined),
  })
  const handlers = useRowHandlers(change, {
    onEdit: ({ id }) => edit(id),
    onEditTag: editTag,
    onTag: (tag) => showTag({ tag, tag_mode: '' }),
    onHealth: setHealthOf,
  })

  const columns = useColumns(handlers, isByTag)
  const addButton = (
    <Button type="primary" icon={<IconPlus />} onClick={openNew}>
      {t('channel.add')}
    </Button>
  )
  return (
    <PageFrame
      title={t('screen.channel')}
      extra={
        <>
          <MemoOperations onStarted={stable.watch} />
          {addButton}
        </>
      }
    >
      <div className="channel-list">
        <DataTable<ChannelTableRow>
          title={t('screen.channel')}
          name="channel"
          rowKey={rowKeyOf}
          columns={columns}
          listing={listing}
          paging={paging}
          expandLabel={(row) => t('channel.expandTag', { tag: row.tag ?? '' })}
          onOpen={(row) => (isTagRow(row) ? handlers.onEditTag(row.tag) : handlers.onEdit(row))}
          rowClassName={classOf}
          {...(batch && {
            selection: { keys: ids, withChildren: true, onChange: (keys) => setSelected(selectedIdsOf(rows, keys)) },
          })}
          allRows={() => everyPage((page) => listChannels({ ...channelQueryOf(filters, view), byTag: false, ...page }))}
          toolbar={
            <>
              <MemoFilters
                filters={filters}
                count={count}
                onChange={stable.setFilters}
                onClear={filtered ? stable.clear : undefined}
              />
              <MemoSwitches view={view} onChange={stable.changeView} />
              {batch && <BulkBar ids={ids} onDone={() => setSelected([])} />}
            </>
          }
          filtered={filtered}
          empty={
            isByTag ? (
              <EmptyState title={t('channel.noTags')} hint={t('channel.noTagsHint')} />
            ) : (
              <EmptyState title={t('channel.none')} hint={t('channel.noneHint')} action={addButton} />
            )
          }
        />
      </div>
      <MemoDrawer target={target} onClose={stable.close} />
      <MemoTagDrawer tag={editedTag} onClose={stable.close} />
      <MemoHealth channel={healthOf} onClose={stable.endHealth} />
    </PageFrame>
  )
}

function useColumns(handlers: ChannelRowHandlers, isByTag: boolean) {
  const { t } = useTranslation()
  const circuits = useCircuits()
  const activity = useActivity()
  const kindName = useKindName()
  return useMemo(() => {
    const allColumns = channelColumns(t, { handlers, circuits, kindName, activity })
    // If rows are grouped by tag, the tag column is redundant.
    return isByTag ? allColumns.filter(({ key }) => key !== 'tag') : allColumns
  }, [t, handlers, circuits, kindName, activity, isByTag])
}

/** The channels that are selected for bulk actions. */
function useSelection(
  rows: readonly ChannelTableRow[],
  view: ChannelViewParams,
  setView: (next: Partial<ChannelViewParams>) => void,
) {
  const [selectedIds, setSelected] = useState<number[]>([])
  const visibleIds = new Set(rows.flatMap((row) => (isTagRow(row) ? row.ids : [row.id])))
  const batch = view.batch === 'true'
  // Actions must not apply to channels that are no longer in the list, so these channels are not selected.
  const ids = selectedIds.filter((id) => visibleIds.has(id))

  function changeView(next: Partial<ChannelViewParams>) {
    if (next.batch === '') setSelected([])
    setView(next)
  }

  return { batch, ids, setSelected, changeView }
}

const classOf = (row: ChannelTableRow) =>
  isTagRow(row) ? 'channel-tag' : row.status === CHANNEL_STATUS.enabled ? '' : 'channel-off'

/** Stores in the URL which drawer is open. Does not change the parameters of the list. */
function useDrawers() {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { id } = useParams()
  const [query] = useSearchParams()
  const editedTag = query.get('edit_tag') || undefined

  function go(path: string, tag?: string) {
    void navigate(`${path}?${withParameters(query, { edit_tag: tag })}`)
  }

  const target = useMemo(() => targetOf(pathname, Number(id)), [pathname, id])
  return {
    target,
    editedTag,
    add: () => go('/channel/add'),
    edit: (id: number) => go(`/channel/edit/${id}`),
    editTag: (tag: string) => go('/channel', tag),
    close: () => go('/channel'),
  }
}

function targetOf(pathname: string, id: number): ChannelTarget | undefined {
  if (pathname.endsWith('/add')) return { mode: 'new' }
  return Number.isInteger(id) && id > 0 ? { mode: 'edit', id } : undefined
}
