import Menu from '@arco-design/web-react/es/Menu'
import { IconDelete, IconEdit, IconEye, IconPause, IconPlayArrow } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { REDEMPTION_STATUS, type Redemption } from '../../api/redemption.ts'
import { RowMenu } from '../../components/data-table/row-menu.tsx'

export interface RedemptionHandlers {
  onCopy: (redemption: Redemption) => void
  onView: (redemption: Redemption) => void
  onToggle: (redemption: Redemption) => void
  onEdit: (redemption: Redemption) => void
  onDelete: (redemption: Redemption) => void
}

/** The actions of a code. Used and disabled codes cannot be edited. Used codes cannot be enabled or disabled. */
export function RedemptionActions({ redemption, handlers }: { redemption: Redemption; handlers: RedemptionHandlers }) {
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
