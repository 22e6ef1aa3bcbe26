import Button from '@arco-design/web-react/es/Button'
import { IconMenuFold, IconMenuUnfold } from '@arco-design/web-react/icon'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../api/status.ts'
import { readStored, writeStored } from '../storage.ts'
import { useCollapsing } from './narrow.ts'
import { ScreenMenu, useScreens } from './navigation.tsx'

/** The side menu. The user chooses whether the menu is collapsed. The default depends on the window's width and the platform. */
export function SideMenu() {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const screens = useScreens('side')
  const [storedChoice, setStoredChoice] = useState(() => readStored('sidebar-collapsed', isBoolean))
  const collapsing = useCollapsing()
  const collapsed = storedChoice ?? (collapsing || (status?.default_collapse_sidebar ?? false))
  const label = collapsed ? t('layout.expand') : t('layout.collapse')

  function toggle() {
    writeStored('sidebar-collapsed', !collapsed)
    setStoredChoice(!collapsed)
  }

  return (
    <div className={collapsed ? 'side-menu side-menu-collapsed' : 'side-menu'}>
      <ScreenMenu screens={screens} label={t('layout.sideMenu')} collapsed={collapsed} />
      <Button
        type="text"
        className="side-menu-toggle"
        icon={collapsed ? <IconMenuUnfold /> : <IconMenuFold />}
        aria-label={label}
        aria-expanded={!collapsed}
        title={label}
        onClick={toggle}
      />
    </div>
  )
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}
