import Message from '@arco-design/web-react/es/Message'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { updateSelf } from '../api/users.ts'
import { currentLanguage, type Language, switchLanguage } from '../language.ts'
import { session } from '../session.ts'

/** Returns the function that changes the language of the console, of server texts, and of mails to the user. */
export function useLanguageChoice(): (language: Language) => Promise<void> {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  return async (language) => {
    try {
      await switchLanguage(language)
    } catch {
      return void Message.error(t('layout.languageFailed')) // the files with the texts failed to load
    }
    if (session.get().user) saving = saving.then(saveLanguage)
    await queryClient.invalidateQueries()
  }
}

/** The pending saves. The saves run one after the other, so that the last of several quick choices is stored. */
let saving: Promise<void> = Promise.resolve()

async function saveLanguage(): Promise<void> {
  try {
    await updateSelf({ language: currentLanguage() })
  } catch {
    // The page already shows the language. The next sign-in stores it.
  }
}
