import Button from '@arco-design/web-react/es/Button'
import { IconPlus } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Limit, removeLimit } from '../../api/limits.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { PageFrame } from '../../components/page.tsx'
import { useConfirmedDelete } from '../../components/saving.ts'
import { limitColumns } from './columns.tsx'
import { LimitDrawer } from './limit-drawer.tsx'
import { useLimits } from './use-limits.ts'

export default function LimitsPage() {
  const { t } = useTranslation()
  const limits = useLimits()
  const [openLimit, setOpenLimit] = useState<Limit | 'new'>()
  const remove = useConfirmedDelete({ run: removeLimit, stale: ['limit'] })
  const columns = limitColumns(t, {
    onEdit: setOpenLimit,
    onRemove: (limit) => remove(t('limit.removeQuestion'), limit),
  })
  const addButton = (
    <Button type="primary" icon={<IconPlus />} onClick={() => setOpenLimit('new')}>
      {t('limit.add')}
    </Button>
  )
  return (
    <PageFrame title={t('screen.limit')} extra={addButton}>
      <DataTable
        title={t('screen.limit')}
        name="limit"
        rowKey="id"
        columns={columns}
        listing={limits}
        empty={<EmptyState title={t('limit.none')} hint={t('limit.noneHint')} action={addButton} />}
      />
      <LimitDrawer opened={openLimit} onClose={() => setOpenLimit(undefined)} />
    </PageFrame>
  )
}
