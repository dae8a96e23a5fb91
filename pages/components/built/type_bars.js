/* Built by make components from the folders beside this one: edit those. */
var el=(tag,name="",text=null)=>{let node=document.createElement(tag);return name&&(node.className=name),text!==null&&(node.
textContent=text),node},button=(name="",text="")=>Object.assign(el("button",name,text),{type:"button"}),find=(root,selector,kind)=>{
let node=root.querySelector(selector);if(!(node instanceof(kind??HTMLElement)))throw new Error(`No ${kind?.name??"node"}\
 at ${selector}.`);return node};var drawKey=({colour,text})=>{let[entry,square]=[el("span"),el("span","square")];return square.style.background=colour,entry.
append(square,el("span","",text)),entry},drawBar=({name,parts,side},press)=>{let[line,bar]=[el("div","row"),el("div","ba\
r")];for(let part of parts){let node=button(part.chosen?"chosen":"",part.label);node.style.cssText=`flex: ${part.n} 1 0;\
 background: ${part.colour}; color: ${part.ink}`,node.title=node.ariaLabel=part.title,node.onclick=()=>press(part.go),bar.
append(node)}return line.append(el("div","name",name),parts.length?bar:el("div","none","–"),el("div","side",side)),line},
type_bars_default=({data,parentElement,setTriggerValue})=>{let key=el("div","key");key.append(...data.key.map(drawKey));
let bars=data.rows.map(row=>drawBar(row,go=>setTriggerValue("go",go)));find(parentElement,".bars").replaceChildren(...bars,
key)};export{type_bars_default as default};
