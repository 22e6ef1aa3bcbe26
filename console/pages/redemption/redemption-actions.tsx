import Button from '@arco-design/web-react/es/Button'
import Menu from '@arco-design/web-react/es/Menu'
import Switch from '@arco-design/web-react/es/Switch'
import { IconCopy, IconDelete, IconEdit, IconEye, IconMore } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { REDEMPTION_STATUS, type Redemption } from '../../api/redemption.ts'
import { DropdownMenu } from '../../layout/dropdown-menu.tsx'
import { useNarrow } from '../../layout/narrow.ts'

export interface RedemptionActs {
  onCopy: (redemption: Redemption) => void
  onView: (redemption: Redemption) => void
  onToggle: (redemption: Redemption) => void
  onEdit: (redemption: Redemption) => void
  onDelete: (redemption: Redemption) => void
}

/** What can be done with one code: a used one stays as it is, and only an unused one is edited. On a phone most of it is in the menu. */
export function RedemptionActions({ redemption, ...acts }: RedemptionActs & { redemption: Redemption }) {
  const { t } = useTranslation()
  const narrow = useNarrow()
  const { name, id, status } = redemption
  const unused = status === REDEMPTION_STATUS.unused
  const which = `${name} #${id}`
  return (
    <div className="row-actions">
      <Switch
        size="small"
        checked={unused}
        disabled={status === REDEMPTION_STATUS.used}
        aria-label={`${t(unused ? 'action.disable' : 'action.enable')} ${which}`}
        onChange={() => acts.onToggle(redemption)}
      />
      {!narrow && (
        <>
          <Button
            size="mini"
            type="text"
            icon={<IconCopy />}
            aria-label={`${t('action.copy')} ${which}`}
            onClick={() => acts.onCopy(redemption)}
          >
            {t('action.copy')}
          </Button>
          <Button
            size="mini"
            type="text"
            icon={<IconEdit />}
            aria-label={`${t('action.edit')} ${which}`}
            disabled={!unused}
            onClick={() => acts.onEdit(redemption)}
          >
            {t('action.edit')}
          </Button>
        </>
      )}
      <DropdownMenu
        button={<Button size="mini" type="text" icon={<IconMore />} aria-label={`${t('action.more')} ${which}`} />}
      >
        {narrow && (
          <Menu.Item key="copy" onClick={() => acts.onCopy(redemption)}>
            <IconCopy /> {t('action.copy')}
          </Menu.Item>
        )}
        {narrow && (
          <Menu.Item key="edit" disabled={!unused} onClick={() => acts.onEdit(redemption)}>
            <IconEdit /> {t('action.edit')}
          </Menu.Item>
        )}
        <Menu.Item key="view" onClick={() => acts.onView(redemption)}>
          <IconEye /> {t('action.view')}
        </Menu.Item>
        <Menu.Item key="delete" className="danger" onClick={() => acts.onDelete(redemption)}>
          <IconDelete /> {t('action.delete')}
        </Menu.Item>
      </DropdownMenu>
    </div>
  )
}
