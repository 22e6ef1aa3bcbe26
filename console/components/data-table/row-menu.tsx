import Button from '@arco-design/web-react/es/Button'
import { IconDelete, IconMore } from '@arco-design/web-react/icon'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DropdownMenu } from '../../layout/dropdown-menu.tsx'

interface Props {
  /** The record's name, for screen readers. */
  name: string
  /** The most frequent action, which has its own button. */
  mainAction?: { text: string; onClick: () => void; loading?: boolean; disabled?: boolean; title?: string }
  /** The other actions, as `Menu.Item`s. */
  children?: ReactNode
}

/** The actions of a record: a button and a menu, together at most 100 pixels wide. */
export function RowMenu({ name, mainAction, children }: Props) {
  const { t } = useTranslation()
  return (
    <div className="row-actions">
      {mainAction && (
        <Button
          size="mini"
          type="text"
          className="row-verb"
          loading={mainAction.loading ?? false}
          disabled={mainAction.disabled ?? false}
          title={mainAction.title ?? mainAction.text}
          aria-label={`${mainAction.text} ${name}`}
          onClick={mainAction.onClick}
        >
          {mainAction.text}
        </Button>
      )}
      {children && (
        <DropdownMenu
          button={<Button size="mini" type="text" icon={<IconMore />} aria-label={`${t('action.more')} ${name}`} />}
        >
          {children}
        </DropdownMenu>
      )}
    </div>
  )
}

/** A button that deletes a record. `label` is the accessible name, because the button shows only an icon. */
export function DeleteButton({ label, onClick }: { label: string; onClick: () => void }) {
  return <Button type="text" status="danger" icon={<IconDelete />} aria-label={label} onClick={onClick} />
}

/** Width of the column with the actions, in pixels. */
export const ACTIONS_PX = 100
