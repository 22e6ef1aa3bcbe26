import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import Message from '@arco-design/web-react/es/Message'
import Modal from '@arco-design/web-react/es/Modal'
import Select from '@arco-design/web-react/es/Select'
import { IconCopy, IconPlus } from '@arco-design/web-react/icon'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  deleteRedemption,
  listRedemptions,
  REDEMPTION_STATUS,
  type Redemption,
  setRedemptionStatus,
} from '../../api/redemption.ts'
import { useCopy } from '../../components/copy.tsx'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { everyPage } from '../../components/data-table/every-page.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { useListing } from '../../components/listing.ts'
import { useOpened } from '../../components/opened.ts'
import { PageFrame } from '../../components/page.tsx'
import { type PagingState, useFilters, usePaging } from '../../components/paging.ts'
import { useConfirmedDelete, useRowChange } from '../../components/saving.ts'
import { useStableHandlers } from '../../components/stable-handlers.ts'
import { redemptionColumns } from './columns.tsx'
import { type CreatedCodes, NewCodesDialog, RedemptionDrawer } from './redemption-drawer.tsx'

const NO_FILTERS = { keyword: '', status: '0' }

export default function RedemptionPage() {
  const { t } = useTranslation()
  const copy = useCopy()
  const paging = usePaging()
  const { filters, setFilters, filtered, bar } = useFilters(NO_FILTERS)
  const { listing, toggle } = useRedemptions(filters, paging, t('action.done'))
  const { opened: openId, open, close } = useOpened()
  const [batch, setBatch] = useState<CreatedCodes>()
  const [selectedIds, setSelectedIds] = useState<(string | number)[]>([])
  const selectedCodes = (listing.data?.items ?? []).filter(({ id }) => selectedIds.includes(id))
  const remove = useConfirmedDelete({ run: deleteRedemption, stale: ['redemption'] })

  const handlers = useStableHandlers({
    onCopy: ({ key }: Redemption) => void copy(key),
    onView: ({ name, key }: Redemption) =>
      Modal.info({
        title: name,
        content: <Input readOnly value={key} aria-label={t('redemption.code')} />,
        okText: t('action.close'),
      }),
    onToggle: ({ id, status }: Redemption) => {
      const { unused, disabled } = REDEMPTION_STATUS
      toggle.click({ id, status: status === unused ? disabled : unused })
    },
    onEdit: ({ id }: Redemption) => open(id),
    onDelete: (redemption: Redemption) =>
      remove(t('redemption.deleteQuestion', { name: redemption.name, id: redemption.id }), redemption),
  })
  const columns = useMemo(() => redemptionColumns(t, handlers), [t, handlers])

  function copySelected() {
    if (selectedCodes.length === 0) Message.error(t('redemption.selectOne'))
    else void copy(selectedCodes.map(({ name, key }) => `${name}    ${key}`).join('\n'))
  }

  const addButton = (
    <Button type="primary" icon={<IconPlus />} onClick={() => open('new')}>
      {t('redemption.add')}
    </Button>
  )
  return (
    <PageFrame title={t('screen.redemption')} extra={addButton}>
      <DataTable
        title={t('screen.redemption')}
        name="redemption"
        rowKey="id"
        columns={columns}
        listing={listing}
        paging={paging}
        onOpen={handlers.onEdit}
        selection={{ keys: selectedCodes.map(({ id }) => id), onChange: setSelectedIds }}
        allRows={() =>
          everyPage(({ page, pageSize }) =>
            listRedemptions({ page, pageSize, keyword: filters.keyword, status: Number(filters.status) }),
          )
        }
        toolbar={
          <>
            <FilterBar fields={[{ name: 'keyword', label: t('redemption.search') }]} {...bar}>
              <Select
                value={filters.status}
                aria-label={t('field.status')}
                onChange={(status: string) => setFilters({ status })}
                options={[
                  { value: '0', label: t('redemption.anyStatus') },
                  ...(['unused', 'disabled', 'used'] as const).map((state) => ({
                    value: String(REDEMPTION_STATUS[state]),
                    label: t(`redemption.state.${state}`),
                  })),
                ]}
              />
            </FilterBar>
            <Button icon={<IconCopy />} onClick={copySelected}>
              {t('redemption.copySelected')}
            </Button>
          </>
        }
        filtered={filtered}
        empty={<EmptyState title={t('redemption.none')} hint={t('redemption.noneHint')} action={addButton} />}
      />
      <RedemptionDrawer opened={openId} onClose={close} onCreated={setBatch} />
      <NewCodesDialog batch={batch} onClose={() => setBatch(undefined)} />
    </PageFrame>
  )
}

/** Loads the codes that match the filters. `toggle` enables or disables a code. */
function useRedemptions(
  { keyword, status }: typeof NO_FILTERS,
  { page, pageSize, sort, order }: PagingState,
  done: string,
) {
  const query = { keyword, status: Number(status), page, pageSize, sort, order }
  const queryKey = ['redemption', 'list', query]
  const listing = useListing(queryKey, (signal) => listRedemptions(query, signal))
  const toggle = useRowChange<Redemption, Pick<Redemption, 'id' | 'status'>>({
    queryKey,
    changed: (row, { status }) => ({ ...row, status }),
    run: setRedemptionStatus,
    done,
  })
  return { listing, toggle }
}
