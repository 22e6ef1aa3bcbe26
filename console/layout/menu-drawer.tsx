import Drawer from '@arco-design/web-react/es/Drawer'
import { useTranslation } from 'react-i18next'
import { ScreenMenu, useScreens } from './navigation.tsx'

/** A drawer with all menus, for phones. */
export function MenuDrawer({ visible, onClose }: { visible: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const side = useScreens('side')
  const top = useScreens('top')
  return (
    <Drawer
      title={<span>{t('layout.menu')}</span>}
      placement="left"
      width={260}
      visible={visible}
      footer={null}
      onCancel={onClose}
      unmountOnExit
      className="menu-drawer"
    >
      <ScreenMenu screens={[...top, ...side]} label={t('layout.menu')} onChoose={onClose} />
    </Drawer>
  )
}
