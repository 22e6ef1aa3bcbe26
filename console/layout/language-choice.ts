import Message from '@arco-design/web-react/es/Message'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { chooseLanguage, type Language } from '../language.ts'

/** Shows everything in another language: the texts that the server has put into words as well. */
export function useLanguageChoice(): (language: Language) => Promise<void> {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  return async (language) => {
    try {
      await chooseLanguage(language)
    } catch {
      return void Message.error(t('layout.languageFailed')) // its texts are files, which may be out of reach
    }
    await queryClient.invalidateQueries()
  }
}
