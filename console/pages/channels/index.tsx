import Button from '@arco-design/web-react/es/Button'
import { IconMinus, IconPlus } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router-dom'
import { CHANNEL_STATUS, type Channel, listChannels } from '../../api/channels.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { everyPage } from '../../components/data-table/every-page.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Page } from '../../components/page.tsx'
import { useFilters, usePaging } from '../../components/paging.ts'
import NotFoundPage from '../not-found/index.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { ChannelFilters } from './channel-filters.tsx'
import './channels.css'
import { channelColumns } from './columns.tsx'
import { ChannelDrawer } from './drawer/index.tsx'
import { HealthDialog } from './health-dialog.tsx'
import { useKindLook } from './kinds.ts'
import { Operations } from './operations.tsx'
import { channelsOf, isTag, type Row, rowKeyOf } from './rows.ts'
import { TagDrawer } from './tag-drawer/index.tsx'
import { type ChannelView, NO_FILTERS, NO_VIEW, queryOf, useChannels, useCircuits } from './use-channels.ts'
import { useDrawers } from './use-drawers.ts'
import { useRowActs } from './use-row-acts.ts'
import { ViewSwitches } from './view-switches.tsx'

/** The drawer stands in the address: for a channel whose id cannot be one there is no page. */
export default function ChannelsPage() {
  const { id } = useParams()
  return id === undefined || /^\d+$/.test(id) ? <Channels /> : <NotFoundPage />
}

function Channels() {
  const { t } = useTranslation()
  const paging = usePaging()
  const { filters, setFilters, clear, filtered } = useFilters(NO_FILTERS)
  const { filters: view, setFilters: setView } = useFilters(NO_VIEW)
  const { setFilters: showTag } = useFilters({ ...NO_FILTERS, ...NO_VIEW })
  const { listing, change, watch } = useChannels(filters, view, paging)
  const circuits = useCircuits()
  const kindLook = useKindLook()
  const { target, editedTag, add: openNew, edit, editTag, close } = useDrawers()
  const [asked, setAsked] = useState<Channel>()
  const [selected, setSelected] = useState<number[]>([])
  const rows = listing.data?.items ?? []
  const tagged = view.tag_mode === 'true'
  const shown = new Set(rows.flatMap((row) => (isTag(row) ? row.ids : [row.id])))
  const batch = view.batch === 'true'
  // What has left the list is not selected any more: nothing is done to what nobody sees.
  const ids = selected.filter((id) => shown.has(id))

  function changeView(next: Partial<ChannelView>) {
    if (next.batch === '') setSelected([])
    setView(next)
  }

  const acts = useRowActs(change, {
    onEdit: ({ id }) => edit(id),
    onEditTag: editTag,
    onTag: (tag) => showTag({ tag, tag_mode: '' }),
    onHealth: setAsked,
  })

  // Below its tag a channel need not say which tag it has.
  const columns = channelColumns(t, { acts, circuits, kindLook }).filter(({ key }) => !(tagged && key === 'tag'))
  const add = (
    <Button type="primary" icon={<IconPlus />} onClick={openNew}>
      {t('channel.add')}
    </Button>
  )
  return (
    <Page
      title={t('screen.channel')}
      extra={
        <>
          <Operations onStarted={watch} />
          {add}
        </>
      }
    >
      <div className="channel-list">
        <DataTable<Row>
          title={t('screen.channel')}
          name="channel"
          rowKey={rowKeyOf}
          columns={columns}
          listing={listing}
          paging={paging}
          expandProps={{
            icon: ({ expanded, record, ...button }) => (
              <button
                type="button"
                {...button}
                aria-expanded={expanded}
                aria-label={t('channel.expandTag', { tag: String(record.tag) })}
              >
                {expanded ? <IconMinus /> : <IconPlus />}
              </button>
            ),
          }}
          rowClassName={(row) =>
            isTag(row) ? 'channel-tag' : row.status === CHANNEL_STATUS.enabled ? '' : 'channel-off'
          }
          {...(batch && {
            selection: {
              keys: ids,
              withChildren: true,
              onChange: (keys) => setSelected(channelsOf(rows, keys)),
            },
          })}
          allRows={() => everyPage((page) => listChannels({ ...queryOf(filters, view), byTag: false, ...page }))}
          toolbar={
            <>
              <ChannelFilters filters={filters} onChange={setFilters} onClear={filtered ? clear : undefined} />
              <ViewSwitches view={view} onChange={changeView} />
              {batch && <BulkBar ids={ids} onDone={() => setSelected([])} />}
            </>
          }
          empty={
            filtered ? (
              <EmptyState title={t('table.noMatch')} hint={t('table.noMatchHint')} />
            ) : tagged ? (
              <EmptyState title={t('channel.noTags')} hint={t('channel.noTagsHint')} />
            ) : (
              <EmptyState title={t('channel.none')} hint={t('channel.noneHint')} action={add} />
            )
          }
        />
      </div>
      <ChannelDrawer target={target} onClose={close} />
      <TagDrawer tag={editedTag} onClose={close} />
      <HealthDialog channel={asked} onClose={() => setAsked(undefined)} />
    </Page>
  )
}
