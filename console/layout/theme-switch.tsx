import Button from '@arco-design/web-react/es/Button'
import { IconMoon, IconSun } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { useStore } from '../store.ts'
import { chooseTheme, theme } from '../theme.ts'

export function ThemeSwitch() {
  const { t } = useTranslation()
  const dark = useStore(theme) === 'dark'
  return (
    <Button
      type="text"
      shape="circle"
      className="tool"
      icon={dark ? <IconSun /> : <IconMoon />}
      aria-label={dark ? t('layout.light') : t('layout.dark')}
      title={dark ? t('layout.light') : t('layout.dark')}
      onClick={() => chooseTheme(dark ? 'light' : 'dark')}
    />
  )
}
