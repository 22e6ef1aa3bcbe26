import AutoComplete from '@arco-design/web-react/es/AutoComplete'
import Modal from '@arco-design/web-react/es/Modal'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../language.ts'
import { useNavigate } from '../router/hooks.ts'
import { session } from '../session.ts'
import { useStore } from '../store.ts'
import { chooseTheme, theme } from '../theme.ts'
import './command-palette.css'
import { commandsFor, type PaletteCommand } from './commands.tsx'
import { useLanguageChoice } from './language-choice.ts'
import { useLogout } from './logout.ts'
import { useScreens } from './navigation.tsx'
import { useOptionPlaces, useSearch } from './search.ts'

/** A dialog in which the user types to open pages and run frequent actions. Ctrl-K or ⌘K opens it. */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const { user } = useStore(session)
  const dark = useStore(theme) === 'dark'
  const top = useScreens('top')
  const side = useScreens('side')
  const logout = useLogout()
  const chooseLanguage = useLanguageChoice()
  const [text, setText] = useState('')
  const actions = {
    toggleTheme: () => chooseTheme(dark ? 'light' : 'dark'),
    toggleLanguage: () => void chooseLanguage(currentLanguage() === 'zh' ? 'en' : 'zh'),
    logout: () => logout.mutate(),
  }
  const results = useSearch(user, text)
  const options = useOptionPlaces(user)
  const commands = commandsFor({ t, i18n, user, screens: [...side, ...top], text, dark, results, options, actions })

  function choose(key: string) {
    const command = commands.find((command) => command.key === key)
    onClose()
    if (command) void run(command)
  }

  async function run({ to, run: action }: PaletteCommand) {
    if (to) await navigate(to)
    else action?.()
  }

  return (
    <Modal
      visible
      title={t('palette.title')}
      footer={null}
      closable={false}
      onCancel={onClose}
      className="command-palette"
      alignCenter={false}
    >
      <AutoComplete
        inputProps={{ autoFocus: true, 'aria-label': t('palette.title') }}
        value={text}
        onChange={setText}
        onSelect={choose}
        placeholder={t('palette.placeholder')}
        filterOption={false}
        defaultActiveFirstOption
        triggerProps={{ popupVisible: true, popupAlign: { bottom: 8 } }}
        data={commands.map(({ key, title, icon }) => (
          <AutoComplete.Option key={key} value={key}>
            <span className="command">
              {icon} {title}
            </span>
          </AutoComplete.Option>
        ))}
      />
    </Modal>
  )
}
