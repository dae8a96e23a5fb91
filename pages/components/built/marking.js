/* Built by make components from the folders beside this one: edit those. */
var mount=make=>{let drawn=new WeakMap;return component=>{let{parentElement}=component,one=drawn.get(parentElement)??make(
parentElement);return drawn.set(parentElement,one),one.render(component),()=>{drawn.get(parentElement)?.stop(),drawn.delete(
parentElement)}}};var el=(tag,name="",text=null)=>{let node=document.createElement(tag);return name&&(node.className=name),text!==null&&(node.
textContent=text),node},button=(name="",text="")=>Object.assign(el("button",name,text),{type:"button"}),find=(root,selector,kind)=>{
let node=root.querySelector(selector);if(!(node instanceof(kind??HTMLElement)))throw new Error(`No ${kind?.name??"node"}\
 at ${selector}.`);return node};var findAll=(root,selector,_kind)=>[...root.querySelectorAll(selector)];var SIGNS_OF_LIFE=["keydown","mousemove","pointerdown","wheel","scroll","touchmove"],ActiveTime=class{constructor(){this.
total=0,this.mark=this.life=performance.now(),this.seen=document.visibilityState==="visible",this.alive=()=>{this.settle(),
this.life=performance.now()},this.turned=()=>{this.settle(),document.visibilityState==="visible"&&(this.life=performance.
now())};for(let kind of SIGNS_OF_LIFE)window.addEventListener(kind,this.alive,{capture:!0,passive:!0});document.addEventListener(
"visibilitychange",this.turned,!0)}get isActive(){return document.visibilityState==="visible"&&performance.now()-this.life<=
6e4}settle(){let now=performance.now(),counted=Math.min(now,this.life+6e4)-this.mark;this.seen&&counted>0&&(this.total+=
counted),this.mark=now,this.seen=document.visibilityState==="visible"}start(seconds=0){this.total=Math.max(0,Number(seconds)||
0)*1e3,this.mark=this.life=performance.now(),this.seen=document.visibilityState==="visible"}get seconds(){return this.settle(),
Math.round(this.total/100)/10}stop(){for(let kind of SIGNS_OF_LIFE)window.removeEventListener(kind,this.alive,{capture:!0});
document.removeEventListener("visibilitychange",this.turned,!0)}};var overStorage=open=>({get(key){try{return JSON.parse(open().getItem(key)??"null")}catch{return null}},set(key,value){try{
return open().setItem(key,JSON.stringify(value)),!0}catch{return!1}},drop(key){try{open().removeItem(key)}catch{return}},
keys(prefix){try{return Object.keys(open()).filter(key=>key.startsWith(prefix))}catch{return[]}}}),memory=overStorage(()=>localStorage),
tabMemory=overStorage(()=>sessionStorage);var COVERS='[role="dialog"], [role="listbox"], [data-baseweb="popover"] [role="menu"]',TYPING="data-benchwright-typing";var typesInto=node=>!!node?.isContentEditable||/^(INPUT|TEXTAREA|SELECT)$/.test(node?.tagName??"")||document.body.hasAttribute(
TYPING),isCovered=root=>[...document.querySelectorAll(COVERS)].some(node=>!root.contains(node)&&node.getClientRects().length),
hearKeys=(rootOf,whileTyping,whileReading)=>{let heard=event=>{if(event.isComposing||event.keyCode===229||event.defaultPrevented)
return;let root=rootOf(),at=event.composedPath()[0];(typesInto(at)?root.contains(at)&&whileTyping(event,at):!isCovered(root)&&
whileReading(event,at))&&(event.preventDefault(),event.stopPropagation())};return document.addEventListener("keydown",heard,
{capture:!0}),()=>document.removeEventListener("keydown",heard,{capture:!0})},hasModifier=event=>event.ctrlKey||event.metaKey||
event.altKey,pressOnce=(event,act)=>act?(event.repeat||act(),!0):!1;var Sheet=class{constructor(parent){this.root=find(parent,".desk"),this.data={},this.given={},this.subject=null,this.pressed=
0,this.waits=!1,this.time=new ActiveTime,this.find(".save").onclick=()=>this.save(),this.find(".skip").onclick=()=>this.
tell("skip"),this.find(".undo").onclick=()=>this.tell("undo"),this.stopKeys=hearKeys(()=>this.root,(event,at)=>this.whileTyping(
event,at),(event,at)=>this.whileReading(event,at))}start(){return{}}build(){}draw(){}acts(){return{}}confirm(){}get place(){
return`benchwright:${this.data.kind}:${this.data.workspace}:${this.data.person}:${this.subject}`}find(selector,kind){return find(
this.root,selector,kind)}render({data,setTriggerValue}){if(this.data=data,this.setTriggerValue=setTriggerValue,this.waits=
this.waits&&data.last<this.pressed&&data.subject===this.subject,data.subject===this.subject)return this.draw();this.subject=
data.subject,this.root.dataset.subject=data.subject,this.time.start(),this.given=this.start(),this.given=memory.get(this.
place)??this.given,this.build(),this.draw()}stop(){this.stopKeys(),this.time.stop()}keep(){memory.set(this.place,this.given)}foot(may,said=""){
let{person}=this.data;this.find(".save",HTMLButtonElement).disabled=!may||!person||this.waits;for(let name of[".undo",".\
skip"])this.find(name,HTMLButtonElement).disabled=!person||this.waits;this.root.inert=this.waits,this.find(".said").textContent=
person?said:"Give your name first: nothing is stored without a name."}save(){this.find(".save",HTMLButtonElement).disabled||
this.tell("save")}tell(what){if(this.waits||!this.data.person)return;this.waits=!0,this.pressed=Math.max(this.pressed,this.
data.last,Date.now())+1;let key=`${this.subject}/${this.data.person}/${this.pressed}`,{subject,given,pressed:n}=this;this.
setTriggerValue?.("pressed",{n,what,subject,key,...given,seconds:this.time.seconds}),what==="save"&&memory.drop(this.place),
this.draw()}whileTyping(event,at){let isEnter=event.key==="Enter"&&(event.ctrlKey||event.metaKey);return event.key!=="Es\
cape"&&!isEnter?!1:(at.blur(),isEnter&&this.confirm(),!0)}whileReading(event,at){let{key}=event;if(this.waits||hasModifier(
event)||key==="Enter"&&at?.closest?.("button, summary, a[href]"))return!1;let acts={Enter:()=>this.save(),u:()=>this.tell(
"undo"),n:()=>this.tell("skip"),...this.acts()};return pressOnce(event,acts[key.length===1?key.toLowerCase():key])}};var words=(kind,text,language,tag="div")=>{let made=el(tag,`foreign ${kind}`,text);return made.dir="auto",made.lang=language,
made},AnswerToGrade=class extends Sheet{start(){let{standing}=this.data;return{mark:standing?.mark??"",comment:standing?.
comment??""}}build(){let{data}=this,{language,claim}=data,quotes=list=>list.map(one=>{let made=el("blockquote",""),title=[
one.number&&`[${one.number}]`,one.title].filter(Boolean).join(" ");return made.append(words("title",title,language),words(
"",one.text,language)),made}),asked=[el("div","label","Question"),words("question",data.question,language)];data.now&&asked.
push(el("div","faint",`Asked at ${data.now}`));for(let[name,text]of Object.entries(data.inputs))asked.push(el("div","lab\
el",name),words("",text,language));data.golds.length&&asked.push(el("div","label",data.golds.length>1?"Gold answers, any\
 of them":"Gold answer")),asked.push(...data.golds.map(gold=>words("",gold,language))),data.evidence.length&&asked.push(
el("div","label",`Evidence (${data.evidence.length})`),...quotes(data.evidence));let answered=claim?[el("div","asks",claim.
asks),el("div","label",claim.unit),words("claim",claim.sentence,language),el("div","label",claim.passages.length?`Passag\
es (${claim.passages.length})`:"Text"),...claim.passages.length?quotes(claim.passages):[words("answer",claim.text,language)]]:
[el("div","label","Answer to grade"),data.answer.trim()?words("answer",data.answer,language):el("div","faint","The syste\
m gave an empty answer.")];this.find(".asked").replaceChildren(...asked),this.find(".answered").replaceChildren(...answered);
for(let side of findAll(this.root,".side"))side.scrollTop=0;let between=this.find(".between");between.hidden=!data.between.
length,between.replaceChildren(el("b","","Two people graded this answer differently. Your mark decides."),...data.between.
map(one=>{let line=el("div","");return line.append(el("span","",one.mark+(one.comment?": ":"")),words("",one.comment,language,
"span")),line})),this.find(".marks").replaceChildren(...data.marks.map((mark,n)=>{let made=button("mark");made.dataset.mark=
mark.name,made.setAttribute("role","radio");let name=el("span","name",mark.name);return name.prepend(el("kbd","",String(
n+1))),made.append(name,el("span","about",mark.about)),made.onclick=()=>this.choose(mark.name),made}));let comment=this.
find(".comment",HTMLTextAreaElement);comment.value=this.given.comment,comment.oninput=()=>{this.given.comment=comment.value,
this.keep()}}draw(){let{data,given}=this;for(let made of findAll(this.root,".mark",HTMLButtonElement))made.classList.toggle(
"chosen",made.dataset.mark===given.mark),made.setAttribute("aria-checked",String(made.dataset.mark===given.mark)),made.disabled=
!data.needed||this.waits;this.foot(given.mark&&data.needed,data.needed?"":"Other people have graded this answer: go on w\
ith the next.")}choose(mark){this.waits||!this.data.needed||(this.given.mark=this.given.mark===mark?"":mark,this.keep(),
this.draw())}confirm(){this.save()}acts(){let marks=this.data.marks.slice(0,9).map(({name},n)=>[n+1,()=>this.choose(name)]);
return{c:()=>this.find(".comment").focus(),...Object.fromEntries(marks)}}},marking_default=mount(parent=>new AnswerToGrade(
parent));export{marking_default as default};
