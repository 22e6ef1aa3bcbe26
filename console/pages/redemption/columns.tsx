import Menu from '@arco-design/web-react/es/Menu'
import { IconDelete, IconEdit, IconEye, IconPause, IconPlayArrow } from '@arco-design/web-react/icon'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { REDEMPTION_STATUS, type Redemption } from '../../api/redemption.ts'
import type { TableColumn } from '../../components/data-table/column.ts'
import { actionsColumn, idColumn, quotaColumn, timeColumn } from '../../components/data-table/columns.tsx'
import { RowMenu } from '../../components/data-table/row-menu.tsx'
import { type BadgeStyle, nameOf, StatusTag } from '../../components/status-tag.tsx'

export function redemptionColumns(t: TFunction, handlers: RedemptionHandlers): TableColumn<Redemption>[] {
  return [
    idColumn({ width: 64, title: t('field.id') }),
    {
      key: 'name',
      early: true,
      grow: true,
      width: 160,
      fixed: 'left',
      sort: 'name',
      title: t('field.name'),
      value: ({ name }) => name,
    },
    {
      key: 'status',
      early: true,
      width: 100,
      sort: 'status',
      title: t('field.status'),
      render: ({ status }) => <StatusTag {...statusBadge(t, status)} />,
      value: ({ status }) => statusBadge(t, status).text,
    },
    {
      key: 'key',
      title: t('redemption.code'),
      width: 130,
      rank: 2,
      render: ({ key }) => <code>{`${key.slice(0, 4)}…${key.slice(-4)}`}</code>,
      value: ({ key }) => key,
    },
    quotaColumn({ key: 'quota', width: 110, sort: 'quota', title: t('field.quota') }, (row) => row.quota),
    timeColumn(
      { key: 'created_time', width: 150, sort: 'created_time', rank: 1, title: t('field.created') },
      (row) => row.created_time,
    ),
    timeColumn(
      { key: 'redeemed_time', title: t('redemption.redeemed'), width: 150, sort: 'redeemed_time', rank: 3 },
      (row) => row.redeemed_time,
      '–',
    ),
    {
      key: 'used_user_id',
      width: 110,
      rank: 2,
      title: t('redemption.usedBy'),
      render: ({ used_user_id }) => (used_user_id > 0 ? used_user_id : t('field.none')),
      value: ({ used_user_id }) => (used_user_id > 0 ? used_user_id : ''),
    },
    actionsColumn(t, (redemption) => <RedemptionActions redemption={redemption} handlers={handlers} />),
  ]
}

const COLORS = { unused: 'green', disabled: 'red', used: 'gray', unknown: 'gray' } as const

function statusBadge(t: TFunction, status: number): BadgeStyle {
  const name = nameOf(REDEMPTION_STATUS, status) ?? 'unknown'
  return { color: COLORS[name], text: t(`redemption.state.${name}`) }
}

interface RedemptionHandlers {
  onCopy: (redemption: Redemption) => void
  onView: (redemption: Redemption) => void
  onToggle: (redemption: Redemption) => void
  onEdit: (redemption: Redemption) => void
  onDelete: (redemption: Redemption) => void
}

/** The actions of a code. Used and disabled codes cannot be edited. Used codes cannot be enabled or disabled. */
function RedemptionActions({ redemption, handlers }: { redemption: Redemption; handlers: RedemptionHandlers }) {
  const { t } = useTranslation()
  const { name, id, status } = redemption
  const unused = status === REDEMPTION_STATUS.unused
  return (
    <RowMenu
      name={`${name} #${id}`}
      mainAction={{ text: t('action.copy'), onClick: () => handlers.onCopy(redemption) }}
    >
      <Menu.Item key="edit" disabled={!unused} aria-disabled={!unused} onClick={() => handlers.onEdit(redemption)}>
        <IconEdit /> {t('action.edit')}
      </Menu.Item>
      <Menu.Item
        key="toggle"
        disabled={status === REDEMPTION_STATUS.used}
        aria-disabled={status === REDEMPTION_STATUS.used}
        onClick={() => handlers.onToggle(redemption)}
      >
        {unused ? <IconPause /> : <IconPlayArrow />} {t(unused ? 'action.disable' : 'action.enable')}
      </Menu.Item>
      <Menu.Item key="view" onClick={() => handlers.onView(redemption)}>
        <IconEye /> {t('action.view')}
      </Menu.Item>
      <Menu.Item key="delete" className="danger" onClick={() => handlers.onDelete(redemption)}>
        <IconDelete /> {t('action.delete')}
      </Menu.Item>
    </RowMenu>
  )
}
