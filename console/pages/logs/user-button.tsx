import Avatar from '@arco-design/web-react/es/Avatar'
import Button from '@arco-design/web-react/es/Button'
import { useTranslation } from 'react-i18next'

const AVATAR_PX = 20

/** A username, with its first letter as avatar. A click opens the user's details. */
export function UserButton({ name, onClick }: { name: string; onClick: () => void }) {
  const { t } = useTranslation()
  return (
    <Button
      size="mini"
      type="text"
      className="log-user"
      aria-label={t('log.userInfo.open', { name })}
      onClick={onClick}
    >
      <Avatar size={AVATAR_PX} autoFixFontSize={false} className="log-avatar">
        {Array.from(name)[0]?.toUpperCase()}
      </Avatar>
      {name}
    </Button>
  )
}
