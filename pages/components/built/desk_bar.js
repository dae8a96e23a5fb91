/* Built by make components from the folders beside this one: edit those. */
var NAME="benchwright-desk-bar";var hearBar=hear=>{let heard=event=>hear(event.detail);return window.addEventListener(NAME,heard),()=>window.removeEventListener(
NAME,heard)};var mount=make=>{let drawn=new WeakMap;return component=>{let{parentElement}=component,one=drawn.get(parentElement)??make(
parentElement);return drawn.set(parentElement,one),one.render(component),()=>{drawn.get(parentElement)?.stop(),drawn.delete(
parentElement)}}};var find=(root,selector,kind)=>{let node=root.querySelector(selector);if(!(node instanceof(kind??HTMLElement)))throw new Error(
`No ${kind?.name??"node"} at ${selector}.`);return node};var BarLine=class{visit=null;constructor(parent){this.words=find(parent,".words"),this.control=find(parent,".control"),this.
opinions=find(parent,".opinions"),this.stop=hearBar(news=>this.draw(news))}render({data,setTriggerValue}){this.opinions.
onclick=()=>setTriggerValue("opinions",!0),this.draw(data)}draw({bar,visit}){visit&&this.visit?.tab===visit.tab&&visit.number<
this.visit.number||(this.visit=visit,this.words.textContent=bar.words,this.opinions.hidden=!bar.disputed,this.opinions.textContent=
`${bar.disputed.toLocaleString("en")} to decide between`,this.control.hidden=!bar.control,this.control.textContent=bar.control)}},
desk_bar_default=mount(parent=>new BarLine(parent));export{desk_bar_default as default};
