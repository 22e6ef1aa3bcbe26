import Dropdown from '@arco-design/web-react/es/Dropdown'
import Menu from '@arco-design/web-react/es/Menu'
import { cloneElement, type KeyboardEvent, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react'

interface Props {
  button: ReactElement<{ 'aria-haspopup'?: 'menu'; 'aria-expanded'?: boolean }>
  /** `Menu.Item`s. One that is a link is followed. */
  children: ReactNode
  /** Opens to the right of the button, not below it. */
  beside?: boolean
}

/**
 * A button that opens a menu. Arco's own opens with the pointer only and leaves the focus on the button; this one
 * follows the menu-button pattern: the first item gets the focus, arrows walk, Escape and Tab close and give it back.
 */
export function DropdownMenu({ button, children, beside = false }: Props) {
  const [open, setOpen] = useState(false)
  const holder = useRef<HTMLSpanElement>(null)
  const menu = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (open) itemsOf(menu.current)[0]?.focus()
  }, [open])

  function onKeyDown(event: KeyboardEvent) {
    const items = itemsOf(menu.current)
    const at = items.findIndex((item) => item.matches(':focus'))
    switch (event.key) {
      case 'ArrowDown':
        items[(at + 1) % items.length]?.focus()
        break
      case 'ArrowUp':
        items.at(at <= 0 ? -1 : at - 1)?.focus()
        break
      case 'Escape':
      case 'Tab':
        setOpen(false)
        holder.current?.querySelector('button')?.focus()
        break
      case ' ':
        items[at]?.click()
        break
      case 'Enter':
        // The item has taken it; unprevented it would go on to the button, which has the focus by now.
        if (event.target instanceof HTMLAnchorElement) event.target.click()
        break
      default:
        return
    }
    event.preventDefault()
  }

  return (
    <span ref={holder}>
      <Dropdown
        trigger="click"
        triggerProps={{ position: beside ? 'rt' : 'br' }}
        popupVisible={open}
        onVisibleChange={setOpen}
        droplist={
          <Menu ref={menu} onKeyDown={onKeyDown}>
            {children}
          </Menu>
        }
      >
        {cloneElement(button, { 'aria-haspopup': 'menu', 'aria-expanded': open })}
      </Dropdown>
    </span>
  )
}

function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  return Array.from(menu?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])
}
