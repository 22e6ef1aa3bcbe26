import Button from '@arco-design/web-react/es/Button'
import Menu from '@arco-design/web-react/es/Menu'
import { IconLanguage } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { LANGUAGES, type Language } from '../language.ts'
import { DropdownMenu } from './dropdown-menu.tsx'
import { useLanguageChoice } from './language-choice.ts'

// Name of each language, in that language.
const NAMES: Record<Language, { name: string; lang: string }> = {
  zh: { name: '简体中文', lang: 'zh-CN' },
  en: { name: 'English', lang: 'en' },
}

export function LanguageMenu() {
  const { t, i18n } = useTranslation()
  const choose = useLanguageChoice()

  return (
    <DropdownMenu
      button={
        <Button
          type="text"
          shape="circle"
          className="tool"
          icon={<IconLanguage />}
          aria-label={t('layout.language')}
          title={t('layout.language')}
        />
      }
    >
      {LANGUAGES.map((language) => (
        <Menu.Item
          key={language}
          lang={NAMES[language].lang}
          role="menuitemradio"
          aria-checked={i18n.language === language}
          onClick={() => void choose(language)}
        >
          {NAMES[language].name}
        </Menu.Item>
      ))}
    </DropdownMenu>
  )
}
