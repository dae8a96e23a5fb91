/* Built by make components from the folders beside this one: edit those. */
var mount=make=>{let drawn=new WeakMap;return component=>{let{parentElement}=component,one=drawn.get(parentElement)??make(
parentElement);return drawn.set(parentElement,one),one.render(component),()=>{drawn.get(parentElement)?.stop(),drawn.delete(
parentElement)}}};var el=(tag,name="",text=null)=>{let node=document.createElement(tag);return name&&(node.className=name),text!==null&&(node.
textContent=text),node};var find=(root,selector,kind)=>{let node=root.querySelector(selector);if(!(node instanceof(kind??HTMLElement)))throw new Error(
`No ${kind?.name??"node"} at ${selector}.`);return node};var TYPING="data-benchwright-typing";var typesInto=node=>!!node?.isContentEditable||/^(INPUT|TEXTAREA|SELECT)$/.test(node?.tagName??"")||document.body.hasAttribute(
TYPING);var hasModifier=event=>event.ctrlKey||event.metaKey||event.altKey;var MAX_ROWS_OF_ONE_COLUMN=12,drawRow=([keys,about])=>{let term=el("dt");for(let[n,key]of keys.split(" ").entries())term.
append(n?" ":"",el("kbd","",key));let row=el("div");return row.append(term,el("dd","",about)),row},listen=veil=>{let hearKey=event=>{
let at=event.composedPath()[0],types=at instanceof HTMLElement&&typesInto(at);if(event.key==="?"&&!types&&!hasModifier(event))
veil.hidden=!veil.hidden;else if(event.key==="Escape"&&!veil.hidden)veil.hidden=!0;else{if(veil.hidden)return;event.stopImmediatePropagation(),
!/^(Arrow|Page|Home|End)/.test(event.key)&&!hasModifier(event)&&event.preventDefault();return}event.preventDefault(),event.
stopImmediatePropagation()},hearKeyUp=event=>{veil.hidden||(event.preventDefault(),event.stopImmediatePropagation())},hearClick=event=>{
let at=event.composedPath()[0];at instanceof Element&&at.closest(".keys-open")&&(veil.hidden=!1)};return window.addEventListener(
"keydown",hearKey,!0),window.addEventListener("keyup",hearKeyUp,!0),window.addEventListener("click",hearClick),()=>{window.
removeEventListener("keydown",hearKey,!0),window.removeEventListener("keyup",hearKeyUp,!0),window.removeEventListener("c\
lick",hearClick)}},keys_help_default=mount(parent=>{let veil=find(parent,".veil");return veil.onclick=event=>{event.target===
veil&&(veil.hidden=!0)},{stop:listen(veil),render({data}){find(parent,"dl").replaceChildren(...data.rows.map(drawRow)),find(
parent,".card").classList.toggle("many",data.rows.length>MAX_ROWS_OF_ONE_COLUMN)}}});export{keys_help_default as default};
